import type { TodoItem } from "../tool-kinds/tool-use.ts";
import type { TodoTask } from "./todo-list.ts";

/**
 * Matches each item of the new list to a task of the old one: by id, or by the same text, or by position if the two
 * texts have a word in common or if it is the only one that changed.
 *
 *   [Fix parser, Write docs]   ->  [Write docs, Fix parser]        both, moved
 *   [Fix parser, Write docs]   ->  [Fix the lexer, Write docs]     both, the first edited
 *   [Fix parser]               ->  [Publish]                       none: another list
 */
export function matchTasks(
  tasks: readonly TodoTask[],
  items: readonly TodoItem[],
): readonly (TodoTask | undefined)[] {
  const matches: (TodoTask | undefined)[] = items.map(() => undefined);
  const free = new Set(tasks);
  const matchBy = (keyOf: (item: TodoItem) => string | undefined): void => {
    const known = new Map<string, TodoTask[]>();
    for (const task of [...free].reverse()) {
      const key = keyOf(task);
      const same = key === undefined ? undefined : known.get(key);
      if (same) same.push(task);
      else if (key !== undefined) known.set(key, [task]);
    }
    for (const [i, item] of items.entries()) {
      const key = matches[i] ? undefined : keyOf(item);
      const task = key === undefined ? undefined : known.get(key)?.pop();
      if (!task) continue;
      matches[i] = task;
      free.delete(task);
    }
  };
  matchBy(({ id }) => id);
  matchBy(({ text }) => text);
  const isOnlyChange = free.size === 1 && items.length === tasks.length && items.length > 1;
  for (const [i, item] of items.entries()) {
    const task = tasks[i];
    if (matches[i] || !task || !free.has(task)) continue;
    if (item.id !== undefined && task.id !== undefined) continue;
    if (!isOnlyChange && !shareWord(item.text ?? "", task.text)) continue;
    matches[i] = task;
    free.delete(task);
  }
  return matches;
}

function shareWord(a: string, b: string): boolean {
  const words = wordsOf(a);
  return [...wordsOf(b)].some((word) => words.has(word));
}

/** Words of four letters and more: short ones (a, of, the) carry no information. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []);
}
