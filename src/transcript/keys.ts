import { hashText } from "./hash.ts";
import type { Part, PartKey, PartKind } from "./part.ts";
import type { UndoLog } from "./undo-log.ts";

/**
 * Names parts so that the name survives a restart and a fork.
 *
 *   calls and results      the call id and its occurrence: ids repeat in real recordings
 *   the rest of a step     the step's first call, the kind and the ordinal
 *   all other parts        a hash of the content and its occurrence
 *
 * Occurrences are counted in transcript order, so the same prefix gives the same keys.
 */
export class PartKeys {
  /** By the key of the first occurrence: how many there were. */
  readonly #seen = new Map<string, number>();
  readonly #undoLog: UndoLog;

  constructor(undoLog: UndoLog) {
    this.#undoLog = undoLog;
  }

  /** Keys for the next parts of the transcript: a whole step's response, or the inputs between two steps. */
  name(parts: readonly Part[]): PartKey[] {
    const firstCall = parts.find((part) => part.kind === "call");
    const owner = firstCall && this.#peek("call", firstCall.callId);
    return parts.map((part) => {
      if (part.kind === "call" || part.kind === "result") return this.#count(part.kind, part.callId);
      if (owner && part.role === "assistant") return this.#count(part.kind, "in", owner);
      return this.#count(part.kind, hashText(contentOf(part)));
    });
  }

  #peek(...base: readonly string[]): string {
    const first = write(base, 1);
    const count = this.#seen.get(first) ?? 0;
    return count === 0 ? first : write(base, count + 1);
  }

  #count(...base: readonly string[]): PartKey {
    const first = write(base, 1);
    const count = this.#seen.get(first) ?? 0;
    this.#undoLog.set(this.#seen, first, count + 1);
    return (count === 0 ? first : write(base, count + 1)) as PartKey;
  }
}

/** By `join`: a string that is put together with `+` keeps its pieces. */
function write(base: readonly string[], occurrence: number): string {
  return [base.join(":"), occurrence].join("#");
}

/** The kind of the part that a key names. */
export function kindOfKey(key: PartKey): PartKind {
  return key.slice(0, key.indexOf(":")) as PartKind;
}

/** The content that distinguishes parts. For long data (an image), its ends and its length are enough. */
function contentOf(part: Part): string {
  const text = part.leaves.map((leaf) => leaf.text).join("\u0000");
  const known = text.length > 100_000 ? `${text.length}${text.slice(0, 1000)}${text.slice(-1000)}` : text;
  return `${part.role}\u0000${part.kind === "marker" ? part.name : ""}\u0000${known}`;
}
