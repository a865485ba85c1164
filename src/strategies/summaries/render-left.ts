import type { Ref } from "../../transcript/refs.ts";
import { hasHostTag, opensHostTag } from "../texts/host-instructions.ts";
import { addRef, omission } from "./summary.ts";

/**
 * The shortened text of a result, with the ref of the cut. Lines stay unchanged or are omitted: one that begins
 * with the tag of a host's reminder is omitted, because it could be mistaken for the host's instructions after a
 * cut.
 *
 *   <system-reminder>      ->  ... [1 line omitted · a1b2c3] ...
 *   x = "<system-reminder>"    stays
 *
 * @param again how to get the rest back, in addition to the ref
 */
export function renderLeft(left: string, ref: Ref, again?: string): string {
  const mark = again === undefined ? ref : `${again} · ${ref}`;
  return addRef(withoutTagLines(left), mark);
}

/** What is left of a result, without the lines that begin with the tag of a host's reminder. */
export function withoutTagLines(left: string): string {
  if (!hasHostTag(left)) return left;
  const lines = left.split("\n");
  const shown: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const from = i;
    while (i < lines.length && opensHostTag(lines[i] ?? "")) i++;
    if (i > from) shown.push(omission(i - from));
    const line = lines[i];
    if (line !== undefined) shown.push(line);
  }
  // The bracket of a summary is closed in its last line.
  const isOpen = left.startsWith("[Pruned ") && left.endsWith("]") && !shown.at(-1)?.endsWith("]");
  return shown.join("\n") + (isOpen ? "]" : "");
}
