import { remember } from "../basics/remember.ts";
import { AGENT } from "../edits/authors.ts";
import type { PricedPlan } from "../edits/cut-plan.ts";
import { type Cut, isLossless } from "../edits/edit.ts";
import { type PrunableKind, prunableKind } from "../transcript/part.ts";
import type { Ref } from "../transcript/refs.ts";
import { mainLeaf } from "../transcript/refs.ts";
import type { AgentView } from "./agent-view.ts";

/** A part that the agent may cut now. */
export interface Prunable {
  readonly part: number;
  readonly ref: Ref;
  readonly kind: PrunableKind;
  /** Tokens as shown. */
  readonly tokens: number;
}

/** In tokens. For smaller parts, a placeholder saves almost nothing. */
const TOKENS_WORTH_LISTING = 50;

/** The parts that the agent may cut now, oldest first. */
export function listPrunable(view: AgentView): readonly Prunable[] {
  const { transcript } = view.facts;
  const listed: Prunable[] = [];
  for (let part = 0; part < transcript.length; part++) {
    const prunable = asPrunable(view, part);
    if (prunable && !findWaiting(view, part)) listed.push(prunable);
  }
  return listed;
}

/** The part, if the agent may cut it now, or has already requested it. */
export function asPrunable(view: AgentView, part: number): Prunable | undefined {
  const tokens = view.view.tokens[part] ?? 0;
  const kind = prunableKind(view.facts.transcript.part(part));
  if (tokens < TOKENS_WORTH_LISTING || !kind || !isOffered(kind, view)) return undefined;
  if (findCut(view, part) || view.protectedFrom(part)) return undefined;
  const ref = view.facts.partRef(part);
  return ref === undefined ? undefined : { part, ref, kind, tokens };
}

export function isOffered(kind: PrunableKind, { settings }: AgentView): boolean {
  if (kind === "message") return settings.messages;
  return kind === "tool" || settings.reasoning;
}

/** The active cut of a whole part, by any author. */
export function findCut({ facts, ledger }: AgentView, part: number): Cut | undefined {
  const main = mainLeaf(facts.transcript.part(part).leaves);
  return ledger
    .cutsOf(facts.transcript.key(part))
    .find(
      (cut) =>
        cut.type === "drop" ||
        (cut.leaf === main?.id && cut.from === 0 && cut.to === main.text.length && !isLossless(cut)),
    );
}

/** The agent's own waiting cut of a whole part. */
export function findWaiting(view: AgentView, part: number): PricedPlan | undefined {
  const waiting = listWaiting(view, part);
  if (waiting.length === 0) return undefined;
  const ref = view.facts.partRef(part);
  return waiting.find((plan) => plan.price.ref === ref || "drop" in plan);
}

/** The agent's own waiting cuts in a part. */
export function listWaiting({ waiting }: AgentView, part: number): readonly PricedPlan[] {
  return waitingByPart(waiting).get(part) ?? [];
}

const waitingByPart = remember((waiting: readonly PricedPlan[]) => {
  const byPart = new Map<number, PricedPlan[]>();
  for (const each of waiting) {
    if (each.author !== AGENT) continue;
    const known = byPart.get(each.part);
    if (known) known.push(each);
    else byPart.set(each.part, [each]);
  }
  return byPart;
});

/** `Available: Tools(5), Messages(2), Reasoning(1)` */
export function writeAvailable(listed: readonly Prunable[]): string {
  const count = (kind: PrunableKind) => listed.filter((each) => each.kind === kind).length;
  return `Available: Tools(${count("tool")}), Messages(${count("message")}), Reasoning(${count("reasoning")})`;
}
