import type { UndoLog } from "../transcript/undo-log.ts";

/** The number of items in a list, sorted by `keyOf`, whose key is `limit` or less. */
export function countUpTo<T>(list: readonly T[], limit: number, keyOf: (item: T) => number): number {
  let from = 0;
  let to = list.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (keyOf(list[middle] as T) <= limit) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Adds an item to a sorted list in a map, at its position: nearly always at the end. */
export function addInOrder<K, T>(
  undoLog: UndoLog,
  lists: Map<K, T[]>,
  key: K,
  item: T,
  keyOf: (item: T) => number,
): void {
  const list = lists.get(key);
  const last = list?.at(-1);
  if (!list || last === undefined) undoLog.set(lists, key, [item]);
  else if (keyOf(last) <= keyOf(item)) undoLog.push(list, item);
  else undoLog.set(lists, key, list.toSpliced(countUpTo(list, keyOf(item), keyOf), 0, item));
}
