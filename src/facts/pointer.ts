import type { Ref } from "../transcript/refs.ts";
import { isRef } from "../transcript/refs.ts";

/** What the text of a result that was there before is replaced by. */
export interface Pointer {
  /** The ref of the result that has the text. */
  readonly copy: Ref;
  /** How many steps before. */
  readonly steps: number;
  /** `lines 40–80`, `the rest`; none where it is all the same. */
  readonly what?: string;
}

const UNCHANGED = "unchanged since it was read ";

/**
 * The line that refers the agent back. It stays true when the other result is cut as well: the ref at its end gives the
 * text back.
 *
 *   [unchanged since it was read 12 steps before (a1b2c3): see there · d4e5f6]
 */
export function writePointer({ copy, steps, what }: Pointer, ref: Ref): string {
  const subject = what === undefined ? "" : `${what}: `;
  return `[${subject}${UNCHANGED}${steps === 1 ? "1 step" : `${steps} steps`} before (${copy}): see there · ${ref}]`;
}

/** The result that such a line of ours refers to; only where it shows one of these refs, which are of this very part. */
export function readPointer(text: string, refs: readonly Ref[]): Ref | undefined {
  for (const ref of refs) {
    const end = text.indexOf(` · ${ref}]`);
    const line = text.slice(text.lastIndexOf("\n", end) + 1, Math.max(0, end));
    const at = line.startsWith("[") ? line.indexOf(UNCHANGED) : -1;
    const open = at < 0 ? -1 : line.indexOf(" (", at);
    const copy = line.slice(open + 2, open + 8);
    if (open >= 0 && isRef(copy)) return copy;
  }
  return undefined;
}
