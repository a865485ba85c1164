import type { Ref } from "../transcript/refs.ts";
import { isRef } from "../transcript/refs.ts";

/** The replacement for the text of a repeated result. */
export interface Pointer {
  /** The ref of the result that contains the text. */
  readonly copy: Ref;
  /** How many steps earlier. */
  readonly steps: number;
  /** `lines 40–80`, `the rest`; missing if all of it is the same. */
  readonly what?: string;
}

const UNCHANGED = "unchanged since it was read ";

/**
 * The line that refers the agent back. It stays true if the other result is cut as well: the ref at its end returns
 * the text.
 *
 *   [unchanged since it was read 12 steps before (a1b2c3): see there · d4e5f6]
 */
export function writePointer({ copy, steps, what }: Pointer, ref: Ref): string {
  const subject = what === undefined ? "" : `${what}: `;
  return `[${subject}${UNCHANGED}${steps === 1 ? "1 step" : `${steps} steps`} before (${copy}): see there · ${ref}]`;
}

/**
 * The result that such a line of ours refers to; only if the line contains one of these refs, which belong to this
 * very part.
 */
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
