import type { MessageBench } from "../../edits/message-bench.ts";
import type { ClassifiedMessage } from "./classify-message.ts";
import { ContentPriority } from "./content-priority.ts";
import { type Prioritized, prioritize } from "./prioritize.ts";
import type { Surveyed } from "./survey-messages.ts";

/** A message that was dropped completely, with its priority. */
export interface DroppedMessage<M = unknown> extends ClassifiedMessage<M> {
  /** The name of its priority. */
  readonly class: keyof typeof ContentPriority;
}

/**
 * The messages that are not in `sources`, each with the highest priority in it; calls have the priority of their
 * group.
 */
export function classifyDropped<M>(
  { facts, transcript, messages: decoded, firstPart }: MessageBench<M>,
  messages: readonly M[],
  sources: readonly number[],
  { results, groups, loose, rules }: Surveyed,
): readonly DroppedMessage<M>[] {
  const dearest = new Map<number, Prioritized>();
  const note = (part: number, item: Prioritized) => {
    const message = transcript.message[part] ?? -1;
    const known = dearest.get(message);
    if (!known || item.priority > known.priority) dearest.set(message, item);
  };
  for (const item of [...results, ...loose]) note(item.part, item);
  for (const group of groups)
    for (const { part } of group.results) note(facts.calls.of(part)?.call ?? part, group);
  const left = new Set(sources);
  const dropped = [...messages.keys()].filter((index) => !left.has(index));
  return dropped.map((index) => {
    const from = firstPart[index] ?? 0;
    const step = transcript.step[from] ?? 0;
    let tokens = 0;
    for (let i = from; transcript.message[i] === index; i++) tokens += transcript.tokens[i] ?? 0;
    const role = decoded[index]?.role ?? "custom";
    const { priority, metadata } =
      dearest.get(index) ?? prioritize({ role, part: undefined, age: rules.ageOf(step) }, rules);
    const message = messages[index] as M;
    return {
      message,
      class: PRIORITY_NAMES.get(priority) ?? "OLD_HISTORY",
      priority,
      tokens,
      step,
      metadata,
    };
  });
}

const PRIORITY_NAMES: ReadonlyMap<ContentPriority, keyof typeof ContentPriority> = new Map(
  (Object.keys(ContentPriority) as (keyof typeof ContentPriority)[]).map((name) => [
    ContentPriority[name],
    name,
  ]),
);
