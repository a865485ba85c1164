import type { JsonRecord } from "../basics/json.ts";
import { stringAt } from "./json.ts";

/**
 * The entries from the root to the last leaf: the branch that the user is on.
 *
 *   a ── b ── c
 *        └─── d   ->   a b d
 *
 * Sessions of version 1 have no links: an entry follows the one before. So does an entry whose parent is missing, so
 * that one broken line does not cost the session.
 */
export function followPath(entries: readonly JsonRecord[]): readonly JsonRecord[] {
  const indexes = new Map<string, number>();
  for (const [index, entry] of entries.entries()) indexes.set(stringAt(entry, "id") ?? "", index);
  const path: JsonRecord[] = [];
  let index = entries.length - 1;
  for (let entry = entries[index]; entry; entry = entries[index]) {
    path.push(entry);
    if (entry.parentId === null) break;
    const parent = indexes.get(stringAt(entry, "parentId") ?? "");
    index = parent !== undefined && parent < index ? parent : index - 1;
  }
  return path.reverse();
}
