import { copyValue } from "../../transcript/copy-value.ts";
import type { DecodedMessage, MessageMeta } from "../../transcript/message.ts";
import type { Part } from "../../transcript/part.ts";
import { sameValue } from "../../transcript/same-value.ts";
import type { Codec } from "../format.ts";
import { Trace } from "../trace.ts";

/** A message from a host, and other data on it. */
export interface HostMessage {
  readonly message: unknown;
  readonly meta?: MessageMeta | undefined;
}

interface Origin {
  readonly trace: Trace;
  readonly meta: MessageMeta | undefined;
}

const origins = new WeakMap<DecodedMessage, Origin>();

/** Records which message was decoded, so that it is recognised when it comes again. */
export function noteOrigin(decoded: DecodedMessage, { message, meta }: HostMessage, format: Codec): void {
  const trace = new Trace();
  if (format.look?.(message, trace))
    origins.set(decoded, { trace, meta: copyValue(meta) as MessageMeta | undefined });
}

/**
 * A copy to keep, which shares only strings with the host's objects. Without it, a host that changes a call's input
 * in place would also change the value that the input is later compared with.
 */
export function keepMessage(decoded: DecodedMessage): DecodedMessage {
  const { usage } = decoded;
  const kept = { ...decoded, ...(usage && { usage: { ...usage } }), parts: decoded.parts.map(keepPart) };
  shareOrigin(decoded, kept);
  return kept;
}

/** A copy is recognised by the message that its original was decoded from. */
export function shareOrigin(original: DecodedMessage, copy: DecodedMessage): void {
  const origin = origins.get(original);
  if (origin) origins.set(copy, origin);
}

function keepPart(part: Part): Part {
  switch (part.kind) {
    case "call":
      return isShared(part.input) ? { ...part, input: copyValue(part.input) } : part;
    case "result":
      return isShared(part.value) ? { ...part, value: copyValue(part.value) } : part;
    case "opaque":
      return isShared(part.raw) ? { ...part, raw: copyValue(part.raw) } : part;
    default:
      return part;
  }
}

function isShared(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** Would decoding this message give the same result as before? Also `false` if only decoding can tell. */
export function isKnownAs(decoded: DecodedMessage, { message, meta }: HostMessage, format: Codec): boolean {
  const origin = origins.get(decoded);
  if (!origin || !sameValue(origin.meta, meta)) return false;
  origin.trace.rewind();
  return format.look?.(message, origin.trace) === true && origin.trace.isThrough;
}
