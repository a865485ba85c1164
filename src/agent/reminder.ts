import { formatNumber, shortCount } from "../basics/numbers.ts";
import type { Config } from "../config/config.ts";
import type { Facts } from "../facts/facts.ts";
import type { TodoTask } from "../facts/todo-list.ts";
import type { ModelProfile } from "../models/profile.ts";
import { maskLabel } from "../redaction/mask-label.ts";
import type { Pressure } from "../schedule/pressure.ts";
import { lastOccasion, mayRemindNow } from "./may-remind.ts";

export interface ReminderOptions {
  readonly todoReminder: Config["tools"]["todoReminder"];
  readonly automataMode: Config["tools"]["automataMode"];
  /** A subagent's session gets no reminders. */
  readonly subagent?: boolean;
}

/** A part that the agent could cut. */
export interface PrunableItem {
  readonly ref: string;
  /** A few words: `read src/a.ts`. */
  readonly label: string;
  readonly tokens: number;
}

/**
 * The state of this request that a reminder needs in addition to the facts. The lists are made only when a reminder
 * is due.
 */
export interface Situation {
  readonly profile: ModelProfile;
  readonly pressure: Pressure;
  /** Parts that the agent can name and cut. */
  listPrunable(): readonly PrunableItem[];
  /** Stale parts that wait to be cut. */
  listStale(): readonly PrunableItem[];
  /** The largest of both lists together; if missing, both lists are searched. */
  listLargest?(most: number): Largest;
}

/** Some of the parts that could be cut, largest first. */
export interface Largest {
  readonly items: readonly { readonly item: PrunableItem; readonly isStale: boolean }[];
  /** The number of all of them. */
  readonly count: number;
}

/** Returns the note for the end of this request; `undefined` for none. */
export type Reminder = (facts: Facts, situation: Situation) => string | undefined;

/**
 * Reminds the agent of its todo list and the state of the context and, in automata mode, to reflect on its work.
 *
 *   initialTurns 5, repeatTurns 4, last todo write at step 2   ->  after steps 7, 11, 15, …
 *   automata since step 3, initialTurns 8                      ->  after steps 11, 19, …
 *
 * Only the transcript decides. A reminder is in the one request at which it is due, so there is never more than
 * one. If both are due, they make one note. If the model may not be reminded when one is due, it waits.
 */
export function createReminder({ todoReminder, automataMode, subagent = false }: ReminderOptions): Reminder {
  return (facts, situation) => {
    if (subagent || !mayRemindNow(situation.profile, facts)) return undefined;
    const { transcript, todoList, automata } = facts;
    const occasion = { now: transcript.lastStep, last: lastOccasion(situation.profile, facts) };
    const written = todoList.writtenAt ?? 0;
    const { initialTurns, repeatTurns, stuckTaskTurns } = todoReminder;
    const remindsTodos =
      todoReminder.enabled && isDue(occasion, { first: written + initialTurns, every: repeatTurns });
    const reflects =
      automataMode.enabled &&
      automata.since !== undefined &&
      isDue(occasion, {
        first: automata.since + automataMode.initialTurns,
        every: automataMode.initialTurns,
      });
    const lines = [
      ...(remindsTodos ? writeState(facts, situation, stuckTaskTurns) : []),
      ...(reflects ? [REFLECTION] : []),
    ];
    return lines.length > 0 ? `<system-reminder>\n${lines.join("\n")}\n</system-reminder>` : undefined;
  };
}

const REFLECTION =
  "Automata mode: pause and reflect in a few words. What is the goal? What is done? What blocks? What is the next step? Then go on.";

/** Did a reminder of the series become due after the last occasion? */
function isDue(
  occasion: { readonly now: number; readonly last: number },
  series: { readonly first: number; readonly every: number },
): boolean {
  const countTo = (step: number) =>
    step < series.first ? 0 : 1 + Math.floor((step - series.first) / series.every);
  return countTo(occasion.now) > countTo(occasion.last);
}

/** The state of the context and the todos; empty if there is nothing to do and enough room. */
function writeState(facts: Facts, situation: Situation, stuckTaskTurns: number): readonly string[] {
  const { pressure } = situation;
  const lines = [...writePrunable(situation), ...writeTodos(facts, stuckTaskTurns)];
  if (lines.length === 0 && pressure.level === "light") return [];
  const share = `${Math.round(pressure.share * 100)}% of ${formatNumber(pressure.window)} tokens`;
  return [`Context: ${share} used (${pressure.level}).`, ...lines];
}

const MOST_ITEMS = 5;
const MOST_TODOS = 10;

function writePrunable(situation: Situation): readonly string[] {
  const { items, count } = situation.listLargest?.(MOST_ITEMS) ?? listLargest(situation, MOST_ITEMS);
  if (count === 0) return [];
  const names = items.map(
    ({ item: { ref, label, tokens }, isStale }) =>
      `${ref} ${clip(label)} (${shortCount(tokens)}${isStale ? ", stale" : ""})`,
  );
  return [`Prunable, largest first: ${joinSome(names, count)}.`];
}

function listLargest(situation: Situation, most: number): Largest {
  const stale = situation.listStale();
  const staleRefs = new Set(stale.map(({ ref }) => ref));
  const others = situation.listPrunable().filter(({ ref }) => !staleRefs.has(ref));
  const items = [
    ...stale.map((item) => ({ item, isStale: true })),
    ...others.map((item) => ({ item, isStale: false })),
  ];
  return { items: chooseLargest(items, most, ({ item }) => item.tokens), count: items.length };
}

/** The largest items, largest first, and of equal ones the first. */
export function chooseLargest<T>(
  items: readonly T[],
  most: number,
  sizeOf: (item: T) => number,
): readonly T[] {
  const largest: T[] = [];
  for (const item of items) {
    const size = sizeOf(item);
    const last = largest[most - 1];
    if (last !== undefined && sizeOf(last) >= size) continue;
    const place = largest.findIndex((other) => sizeOf(other) < size);
    largest.splice(place < 0 ? largest.length : place, 0, item);
    if (largest.length > most) largest.pop();
  }
  return largest;
}

function writeTodos({ todoList, transcript }: Facts, stuckTaskTurns: number): readonly string[] {
  const open = todoList.tasks.filter(({ status }) => status === "in_progress" || status === "pending");
  if (open.length === 0) return [];
  const stepsOf = ({ since }: TodoTask) => (since === undefined ? 0 : transcript.lastStep - since);
  const stuck = open
    .filter((task) => task.since !== undefined && stepsOf(task) >= stuckTaskTurns)
    .toSorted((a, b) => stepsOf(b) - stepsOf(a));
  const nameStuck = (task: TodoTask) => `"${clip(task.text)}" (${stepsOf(task)} steps)`;
  const nameOpen = ({ text, status }: TodoTask) =>
    `${clip(text)}${status === "in_progress" ? " (in progress)" : ""}`;
  return [
    `Open todos, last updated ${countSteps(transcript.lastStep - (todoList.writtenAt ?? 0))} ago: ${listSome(open, MOST_TODOS, nameOpen)}. Update the list if it is out of date.`,
    ...(stuck.length > 0
      ? [
          `In progress for long: ${listSome(stuck, MOST_ITEMS, nameStuck)}. Split what is too large, drop what is no longer needed.`,
        ]
      : []),
  ];
}

function countSteps(steps: number): string {
  return steps === 1 ? "1 step" : `${steps} steps`;
}

function listSome<T>(items: readonly T[], most: number, nameOf: (item: T) => string): string {
  return joinSome(items.slice(0, most).map(nameOf), items.length);
}

/** Joins some of `count` names. */
function joinSome(names: readonly string[], count: number): string {
  const more = count - names.length;
  return `${names.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

/** One short line, without tags that would end the note. */
function clip(text: string): string {
  const line = maskLabel(text.slice(0, 400)).replace(TAG, "").replace(/\s+/g, " ").trim();
  const signs = [...line];
  return signs.length > 80 ? `${signs.slice(0, 79).join("")}…` : line;
}

const TAG = /<\/?system-reminder>/g;
