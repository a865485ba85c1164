import type { CutPlan } from "../../edits/cut-plan.ts";
import type { MessageBench } from "../../edits/message-bench.ts";
import type { Role } from "../../transcript/part.ts";
import { renderPlaceholder } from "./placeholder.ts";
import type { GroupItem, LooseItem } from "./survey.ts";
import type { Trimming } from "./trim-messages.ts";
import { proposeDrop, proposePlaceholder } from "./trim-plans.ts";

/** A conversation begins with the user: the message that opens it can be dropped only after its answer. */
export class Opening<M> {
  /** The text of that message, once it is its turn. */
  waiting: LooseItem | undefined;
  readonly #bench: MessageBench<M>;
  /** The first remaining part of the conversation, and the first after it in another message. */
  #first = 0;
  #second = 0;

  constructor(bench: MessageBench<M>) {
    this.#bench = bench;
  }

  /** Does this text open the conversation, with an answer directly after it? */
  leads(part: number): boolean {
    const { message } = this.#bench.transcript;
    this.#first = this.#skip(this.#first);
    if (message[part] !== message[this.#first] || this.#roleOf(this.#first) !== "user") return false;
    this.#second = this.#skip(Math.max(this.#second, this.#first), message[part]);
    const next = this.#roleOf(this.#second);
    return next !== undefined && next !== "user";
  }

  /** The first part from here on that remains, is not system text and is in another message. */
  #skip(from: number, message?: number): number {
    const { transcript } = this.#bench;
    let part = from;
    while (part < transcript.length && (transcript.message[part] === message || !this.#isThere(part))) part++;
    return part;
  }

  #isThere(part: number): boolean {
    const { transcript, ledger } = this.#bench;
    return (
      transcript.part(part).kind !== "marker" &&
      !SYSTEM.includes(this.#roleOf(part) ?? "system") &&
      !ledger.isDropped(transcript.key(part))
    );
  }

  #roleOf(part: number): Role | undefined {
    const { transcript, messages } = this.#bench;
    return messages[transcript.message[part] ?? -1]?.role;
  }
}

const SYSTEM: readonly Role[] = ["system", "developer"];

/** Groups, texts and results are dropped in this order, the opening message as soon as possible. */
export function* dropItems<M>(
  { opening }: Trimming<M>,
  items: readonly (GroupItem | LooseItem)[],
): Generator<CutPlan> {
  for (const item of items) {
    if (item.kind === "text" && opening.leads(item.part)) opening.waiting = item;
    else yield proposeDrop(item);
    const { waiting } = opening;
    if (!waiting || opening.leads(waiting.part)) continue;
    opening.waiting = undefined;
    yield proposeDrop(waiting);
  }
}

/** If the opening message had to stay, replaces its text with a placeholder. */
export function* truncateOpening<M>({ facts, shown, opening }: Trimming<M>): Generator<CutPlan> {
  const { message, tokens } = facts.transcript;
  if (!opening.waiting) return;
  const { part, metadata } = opening.waiting;
  for (let i = part; message[i] === message[part]; i++) {
    const truncated = { path: undefined, age: metadata.age, tokens: tokens[i] ?? 0 };
    const plan = proposePlaceholder(facts, shown, i, () => renderPlaceholder(truncated));
    if (plan) yield plan;
  }
}
