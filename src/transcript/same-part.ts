import type { DecodedMessage, Usage } from "./message.ts";
import type { Part } from "./part.ts";
import { sameValue } from "./same-value.ts";

/** Is this the same message as before? Transient parts are already left out of both. */
export function sameMessage(a: DecodedMessage | undefined, b: DecodedMessage | undefined): boolean {
  if (a === b) return a !== undefined;
  if (
    !a ||
    !b ||
    a.role !== b.role ||
    a.time !== b.time ||
    a.model !== b.model ||
    a.isCompaction !== b.isCompaction
  )
    return false;
  if (a.parts.length !== b.parts.length || !sameUsage(a.usage, b.usage)) return false;
  for (let i = 0; i < a.parts.length; i++)
    if (!samePart(a.parts[i] as Part, b.parts[i] as Part)) return false;
  return true;
}

export function sameUsage(a: Usage | undefined, b: Usage | undefined): boolean {
  if (!a || !b) return a === b;
  return (
    a.input === b.input &&
    a.cacheRead === b.cacheRead &&
    a.cacheWrite === b.cacheWrite &&
    a.output === b.output
  );
}

/** Is this the same part as before? Slots are ignored, because transient parts next to it may change them. */
function samePart(a: Part, b: Part): boolean {
  return (
    a === b ||
    (a.kind === b.kind &&
      a.role === b.role &&
      a.opensStep === b.opensStep &&
      a.unit === b.unit &&
      sameKind(a, b) &&
      // The leaves of an input are strings in it, so equal inputs have equal leaves.
      ((a.kind === "call" && a.input !== undefined) || sameLeaves(a, b)))
  );
}

function sameKind(a: Part, b: Part): boolean {
  switch (a.kind) {
    case "call":
      return (
        b.kind === "call" &&
        a.callId === b.callId &&
        a.tool === b.tool &&
        a.signed === b.signed &&
        a.server === b.server &&
        a.inText === b.inText &&
        sameValue(a.input, b.input)
      );
    case "result":
      return (
        b.kind === "result" &&
        a.callId === b.callId &&
        a.status === b.status &&
        a.failed === b.failed &&
        a.exitCode === b.exitCode &&
        a.clearedText?.text === b.clearedText?.text &&
        sameValue(a.media, b.media) &&
        sameValue(a.value, b.value)
      );
    case "reasoning":
      return b.kind === "reasoning" && a.signed === b.signed;
    case "marker":
      return b.kind === "marker" && a.name === b.name && sameValue(a.command, b.command);
    case "opaque":
      return b.kind === "opaque" && sameValue(a.raw, b.raw);
    case "text":
      return b.kind === "text" && a.synthetic === b.synthetic && a.signed === b.signed && a.state === b.state;
    case "file":
      return b.kind === "file" && sameValue(a.media, b.media);
  }
}

function sameLeaves(a: Part, b: Part): boolean {
  if (a.leaves.length !== b.leaves.length) return false;
  for (let i = 0; i < a.leaves.length; i++) {
    const x = a.leaves[i];
    const y = b.leaves[i];
    if (x?.text !== y?.text || x?.id !== y?.id) return false;
    if (x?.frame?.before !== y?.frame?.before || x?.frame?.after !== y?.frame?.after) return false;
  }
  return true;
}
