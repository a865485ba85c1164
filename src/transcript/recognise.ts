import type { Codec } from "../formats/format.ts";
import type { DecodedMessage, MessageMeta } from "./message.ts";
import { sameValue } from "./same-part.ts";
import { Trace } from "./trace.ts";

/** A message as a host gives it, with what is known of it beside. */
export interface Given {
  readonly message: unknown;
  readonly meta?: MessageMeta | undefined;
}

interface Origin {
  readonly trace: Trace;
  readonly meta: MessageMeta | undefined;
}

const origins = new WeakMap<DecodedMessage, Origin>();

/** Notes what a message was that has been taken apart, so that it is recognised when it comes again. */
export function noteOrigin(decoded: DecodedMessage, { message, meta }: Given, format: Codec): void {
  const trace = new Trace();
  if (format.look?.(message, trace)) origins.set(decoded, { trace, meta });
}

/** Would taking this message apart give what it gave before? `false` also where only that would tell. */
export function isKnownAs(decoded: DecodedMessage, { message, meta }: Given, format: Codec): boolean {
  const origin = origins.get(decoded);
  if (!origin || !sameValue(origin.meta, meta)) return false;
  origin.trace.rewind();
  return format.look?.(message, origin.trace) === true;
}
