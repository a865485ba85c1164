import { showValue } from "../basics/show-value.ts";
import type { Facts } from "../facts/facts.ts";
import { decodedMessages, isDecoded } from "../formats/decoded.ts";
import { chosenFormat, detectFormat, FORMAT_NAMES } from "../formats/detect.ts";
import type { Codec, FormatChoice } from "../formats/format.ts";
import { decodeMessages } from "../formats/intake/decode.ts";
import type { DropRules, ReasoningRule } from "../models/profile.ts";
import { profileFor } from "../models/profile-for.ts";
import { createToolKinds, type ToolKinds } from "../tool-kinds/tool-kinds.ts";
import type { PartKey } from "../transcript/part.ts";
import { type Rewritten, rewriteMessages } from "./apply.ts";
import type { PricedPlan, ReplacePlan, SignedPlan } from "./cut-plan.ts";
import { Cutting } from "./cutting.ts";
import type { Cut } from "./edit.ts";
import { guardSpans } from "./guard.ts";
import type { Guarded } from "./refusal.ts";
import { Workbench } from "./workbench.ts";

export interface MessageBenchOptions {
  /** Needed if the format can't be recognised by the messages. */
  readonly format?: FormatChoice;
  readonly toolKinds?: ToolKinds;
  /** The provider's rule for reasoning; most have none. */
  readonly reasoning?: ReasoningRule;
  /** The model that the messages go to; by default the one that answered last. */
  readonly model?: string | undefined;
  /** Why a part must not be cut, or `undefined`. */
  readonly protectedFrom?: (facts: Facts, part: number, author: string) => string | undefined;
}

/**
 * A host's messages outside any session, for functions that take and return messages. All rules of the fold hold here
 * too, because cuts go through the same guard.
 */
export class MessageBench<M> extends Workbench {
  readonly format: Codec;
  /** The model that the messages go to, if it is known. */
  readonly model: string | undefined;
  /** All cuts made here count as one. */
  readonly cutting: Cutting;
  readonly #hostMessages: readonly M[];
  readonly #rules: DropRules;

  /** Also takes decoded messages. Throws a `TypeError` if no known format fits: a programmer's mistake. */
  constructor(messages: readonly M[], options: MessageBenchOptions = {}) {
    const { toolKinds = createToolKinds([]), reasoning = "none", protectedFrom = () => undefined } = options;
    const format = chooseCodec(messages, options.format);
    super({ toolKinds, pruneProtect: 0, protection: protectedFrom });
    this.format = format;
    this.#hostMessages = messages;
    const decoded = decodeMessages(format, messages);
    this.model = options.model ?? decoded.findLast(({ model }) => model !== undefined)?.model;
    const { userAfterResult, callAfterResponse } = this.model === undefined ? ANY : profileFor(this.model);
    const rules = { reasoning, userAfterResult, callAfterResponse };
    this.#rules = rules;
    const { transcript, ledger, view } = this;
    this.cutting = new Cutting({
      transcript,
      ledger,
      view,
      request: 0,
      guard: (plan, span) => this.check(plan, span, rules),
    });
    this.takeIn(decoded);
  }

  /** Makes the cut if the guard allows it. */
  cut(plan: SignedPlan): Guarded<Cut> {
    return this.cutting.apply(plan)[0];
  }

  /** Makes the cuts that the guard allows: plans of one span each, all of one leaf that is not cut yet, in text order. */
  cutSpans(plans: readonly (ReplacePlan & { readonly author: string })[]): readonly Guarded<Cut>[] {
    const [only, ...others] = plans;
    if (only && others.length === 0) return [this.cut(only)];
    const checked = guardSpans(plans, this.guardContext(this.#rules));
    const touched = new Set<PartKey>();
    for (const each of checked)
      if (each.ok) for (const key of this.ledger.record(each.value, 0)) touched.add(key);
    this.view.refresh([...touched]);
    return checked;
  }

  /** What this plan would save if it were cut now, or why it can't be. */
  consider(plan: SignedPlan): Guarded<PricedPlan> {
    return this.tryOut(plan, this.#rules);
  }

  /** The messages with the cuts made so far. A message without edits is the very same object. */
  rewrite(): Rewritten<M> {
    return rewriteMessages(this.view, this.format, this.#hostMessages, this.messages, this.firstPart);
  }
}

/** For a model that is not known. */
const ANY = { userAfterResult: true, callAfterResponse: true } as const;

function chooseCodec(messages: readonly unknown[], named: FormatChoice | undefined): Codec {
  if (!Array.isArray(messages))
    throw new TypeError(`Messages have to be a list, got ${showValue(messages)}.`);
  if (named === undefined && isDecoded(messages)) return decodedMessages;
  const name = named ?? detectFormat(messages) ?? (messages.length === 0 ? "openai-chat" : undefined);
  if (name) return chosenFormat(name);
  const known = FORMAT_NAMES.join(", ");
  throw new TypeError(
    `These messages are of no format that Coppice knows (${known}); name one with \`format\`.`,
  );
}
