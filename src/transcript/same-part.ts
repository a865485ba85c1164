import type { JsonRecord } from "../json.ts";
import type { DecodedMessage, Usage } from "./message.ts";
import type { Part } from "./part.ts";

/** Is this the message that was seen before? Transient parts are already left out of both. */
export function sameMessage(a: DecodedMessage | undefined, b: DecodedMessage | undefined): boolean {
  if (a === b) return a !== undefined;
  if (
    !a ||
    !b ||
    a.role !== b.role ||
    a.time !== b.time ||
    a.model !== b.model ||
    a.opensEpoch !== b.opensEpoch
  )
    return false;
  if (a.parts.length !== b.parts.length || !sameUsage(a.usage, b.usage)) return false;
  for (let i = 0; i < a.parts.length; i++)
    if (!samePart(a.parts[i] as Part, b.parts[i] as Part)) return false;
  return true;
}

function sameUsage(a: Usage | undefined, b: Usage | undefined): boolean {
  if (!a || !b) return a === b;
  return (
    a.input === b.input &&
    a.cacheRead === b.cacheRead &&
    a.cacheWrite === b.cacheWrite &&
    a.output === b.output
  );
}

/** Is this the part that was seen before? Slots do not count: transient parts beside it may move it. */
function samePart(a: Part, b: Part): boolean {
  return (
    a === b ||
    (a.kind === b.kind &&
      a.role === b.role &&
      a.opensStep === b.opensStep &&
      a.unit === b.unit &&
      sameKind(a, b) &&
      // The leaves of an input are strings in it.
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
        sameValue(a.input, b.input)
      );
    case "result":
      return (
        b.kind === "result" &&
        a.callId === b.callId &&
        a.status === b.status &&
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
      return b.kind === "text" && a.synthetic === b.synthetic;
    case "file":
      return true;
  }
}

function sameLeaves(a: Part, b: Part): boolean {
  if (a.leaves.length !== b.leaves.length) return false;
  for (let i = 0; i < a.leaves.length; i++) {
    const x = a.leaves[i];
    const y = b.leaves[i];
    if (x?.text !== y?.text || x?.id !== y?.id) return false;
  }
  return true;
}

/** What is nested deeper is compared without recursion. */
const MAX_DEPTH = 64;

/** Deep equality of JSON-like values, cyclic ones included. */
export function sameValue(a: unknown, b: unknown, depth = 0): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (depth > MAX_DEPTH) return sameDeepValue(a, b);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const x = a as JsonRecord;
  const y = b as JsonRecord;
  let fields = 0;
  for (const key in x) {
    if (!(key in y) || !sameValue(x[key], y[key], depth + 1)) return false;
    fields++;
  }
  for (const _ in y) fields--;
  return fields === 0;
}

function sameDeepValue(a: object, b: object): boolean {
  /** What is taken to be the same until something differs: so a cycle ends. */
  const met = new Map<object, object>();
  const left: [object, object][] = [[a, b]];
  for (let pair = left.pop(); pair; pair = left.pop()) {
    const [x, y] = pair;
    if (x === y || met.get(x) === y) continue;
    met.set(x, y);
    if (Array.isArray(x) !== Array.isArray(y)) return false;
    const keys = Object.keys(x);
    if (keys.length !== Object.keys(y).length) return false;
    for (const key of keys) {
      const inX: unknown = Reflect.get(x, key);
      const inY: unknown = Reflect.get(y, key);
      if (typeof inX === "object" && typeof inY === "object" && inX !== null && inY !== null)
        left.push([inX, inY]);
      else if (inX !== inY || !(key in y)) return false;
    }
  }
  return true;
}
