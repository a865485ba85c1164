import { type Delta, Facts, type FactsOptions } from "../facts/facts.ts";
import { Intake } from "../formats/intake/intake.ts";
import type { DropRules } from "../models/profile.ts";
import type { Protection } from "../protection/protection.ts";
import type { ToolKinds } from "../tool-kinds/tool-kinds.ts";
import type { DecodedMessage } from "../transcript/message.ts";
import type { Transcript } from "../transcript/transcript.ts";
import { attempt } from "./attempt.ts";
import type { PlannedSpan, PricedPlan, SignedPlan } from "./cut-plan.ts";
import type { Cut } from "./edit.ts";
import { type GuardContext, guard } from "./guard.ts";
import { Ledger } from "./ledger.ts";
import { pricePlan } from "./price-plan.ts";
import type { Guarded } from "./refusal.ts";
import { View } from "./view.ts";

export interface WorkbenchOptions extends Omit<FactsOptions, "isWhole"> {
  readonly toolKinds: ToolKinds;
  readonly protection: Protection;
  /** Do markers name the ref of their cut? */
  readonly showsRefs?: boolean;
}

/**
 * Messages with everything needed to cut them: the facts about their parts, the ledger, the view and the protection.
 * The fold adds time and money; functions that take and return messages add a format.
 */
export class Workbench {
  readonly transcript: Transcript;
  readonly facts: Facts;
  readonly ledger: Ledger;
  readonly view: View;
  /** The decoded messages, and the index of each one's first part. */
  readonly messages: readonly DecodedMessage[];
  readonly firstPart: readonly number[];
  readonly #intake = new Intake();
  readonly #protection: Protection;
  readonly #showsRefs: boolean;

  constructor({ toolKinds, protection, showsRefs = true, ...options }: WorkbenchOptions) {
    const { transcript, messages, firstPart } = this.#intake;
    this.transcript = transcript;
    this.messages = messages;
    this.firstPart = firstPart;
    const isWhole = (part: number) => !this.ledger.isCut(transcript.key(part));
    this.facts = new Facts(transcript, toolKinds, { ...options, isWhole });
    this.ledger = new Ledger(transcript.undoLog);
    this.view = new View(transcript, this.ledger, this.facts.shownNames);
    this.#protection = protection;
    this.#showsRefs = showsRefs;
  }

  /**
   * Adds the next messages.
   *
   * @param tagOf gives what stands behind a part that the agent can name
   * @param pointsBack are files that are read again looked for in earlier results?
   */
  takeIn(
    messages: readonly DecodedMessage[],
    tagOf: (part: number) => string | undefined = () => undefined,
    pointsBack = false,
  ): Delta {
    const from = this.transcript.length;
    this.#intake.append(messages);
    const delta = this.facts.ingest(from, this.transcript.length, pointsBack);
    this.view.extend(tagOf);
    return delta;
  }

  /** Why this author must not cut the part, or `undefined`. */
  protectedFrom(part: number, author: string): string | undefined {
    return this.#protection(this.facts, part, author);
  }

  /** The guard's answer to one span of a plan, or to a drop. */
  check(plan: SignedPlan, span: PlannedSpan | undefined, rules: DropRules): Guarded<Cut> {
    return guard(plan, span, this.guardContext(rules));
  }

  /** What this plan would save if it were cut now, or why it can't be. */
  tryOut(plan: SignedPlan, rules: DropRules): Guarded<PricedPlan> {
    return attempt(this, () => ({
      keep: false,
      value: pricePlan(plan, (each, span) => this.check(each, span, rules)),
    }));
  }

  protected guardContext(rules: DropRules): GuardContext {
    const { transcript, ledger, view, facts } = this;
    const protectedFrom = (part: number, author: string) => this.protectedFrom(part, author);
    const { reasoning, userAfterResult, callAfterResponse } = rules;
    return {
      transcript,
      ledger,
      view,
      refs: facts.refs,
      reasoning,
      userAfterResult,
      callAfterResponse,
      showsRefs: this.#showsRefs,
      protectedFrom,
    };
  }

  /** Goes back to a mark of the undo log, with that many messages. */
  protected rollback(mark: number, messages: number): void {
    this.#intake.rollback(mark, messages);
    this.view.forget();
  }
}
