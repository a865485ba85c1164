import { findCleared, findPart } from "../agent/agent-commands.ts";
import type { AgentView } from "../agent/agent-view.ts";
import { proposeDiscard, proposeDistill } from "../agent/propose.ts";
import { findCut, findWaiting, isOffered, listPrunable, writeAvailable } from "../agent/prunable.ts";
import { type PartTarget, readPartTarget } from "../agent/prune-input.ts";
import { writeNamed } from "../agent/read-answer.ts";
import { countOf, formatNumber } from "../basics/numbers.ts";
import type { CutPlan } from "../edits/cut-plan.ts";
import type { EditId } from "../edits/edit.ts";
import { type Refusal, type RefusalIssue, wordRefusal } from "../edits/refusal.ts";
import { estimateTokens } from "../transcript/estimate.ts";
import { type PrunableKind, prunableKind } from "../transcript/part.ts";
import type { Ref } from "../transcript/refs.ts";
import { isRef } from "../transcript/refs.ts";
import { type Done, writeDone, writeRefusal } from "./write-answer.ts";
import { type AcceptedChange, writeEffect } from "./write-effect.ts";

/** A target that may be cut, with its cut plan. */
interface Candidate extends Done {
  readonly ref: Ref;
  readonly part: number;
  readonly plan: CutPlan;
  /** The action named in the answer: discarding reasoning whose field has to stay counts as a distill. */
  readonly action: "discard" | "distill";
}

type Outcome = Candidate | { readonly problem: string };

/** Answers a discard or distill. What can be cut is accepted; the rest is listed, each with the reason or a hint. */
export function answerParts(
  action: "discard" | "distill",
  targets: readonly unknown[],
  view: AgentView,
): string {
  const named = new Set<string>();
  const requestOf = indexRequests(view);
  const outcomes = targets.map((rawTarget): Outcome => {
    const target = readPartTarget(rawTarget);
    if (!target)
      return { problem: `${JSON.stringify(rawTarget) ?? "(nothing)"}: give each target as ${FORMS[action]}` };
    if (named.has(target.ref)) return { problem: `${target.ref}: named twice in this call` };
    named.add(target.ref);
    return decide(action, target, view, requestOf);
  });
  const candidates = outcomes.flatMap((outcome) => ("problem" in outcome ? [] : [outcome]));
  const { cuts } = view.rehearse({ plans: candidates.map(({ plan }) => plan) });
  const accepted = candidates.flatMap((each, i): readonly (Candidate & AcceptedChange)[] => {
    const cut = cuts[i];
    return cut ? [{ ...each, ...cut }] : [];
  });
  const problems = [
    ...outcomes.flatMap((outcome) => ("problem" in outcome ? [outcome.problem] : [])),
    ...candidates.flatMap(({ ref }, i) => (cuts[i] ? [] : [`${ref}: ${BESIDE}`])),
  ];
  if (accepted.length === 0) return writeRefusal(action, problems, view);
  const left = listPrunable(view).filter(({ ref }) => !named.has(ref));
  return [
    ...(["discard", "distill"] as const).flatMap((kind) => {
      const done = accepted.filter((each) => each.action === kind);
      return done.length > 0 ? [writeDone(kind, done)] : [];
    }),
    writeEffect(accepted, view),
    writeNamed("Cut", accepted),
    ...problems.map((problem) => `- ${problem}`),
    writeAvailable(left),
  ].join("\n");
}

/** The answer for a cut that conflicts with another one of the same call, or with one that waits. */
export const BESIDE = "it can't be cut together with another cut there";

const FORMS = { discard: '["a1b2c3"]', distill: '["a1b2c3", "summary"]' } as const;

function decide(
  action: "discard" | "distill",
  { ref, summary }: PartTarget,
  view: AgentView,
  requestOf: RequestOf,
): Outcome {
  const found = findTarget(ref, view);
  if ("problem" in found) return found;
  const { part, kind } = found;
  const problem = findPruned(part, view, requestOf);
  if (problem) return { problem: `${ref}: ${problem}` };
  if (action === "distill" && (summary ?? "").trim() === "")
    return { problem: `${ref}: missing summary: a distill target is ${FORMS.distill}; or use discard` };

  const { facts } = view;
  const plan =
    action === "discard" ? proposeDiscard(facts, part) : proposeDistill(facts, part, summary ?? "");
  if (!plan) return { problem: `${ref}: there is no text in it to cut` };
  const tried = view.tryOut(plan);
  if (!tried.ok) return { problem: `${ref}: ${explain(tried.issue, action, part, summary, view)}` };
  const becomes = kind === "reasoning" && !("drop" in plan) ? "distill" : action;
  const name = facts.calls.of(part)?.use.name ?? "tool";
  return { ref: found.ref, part, kind, name, plan, action: becomes };
}

type Target = { readonly ref: Ref; readonly part: number; readonly kind: PrunableKind };

function findTarget(ref: string, view: AgentView): Target | { readonly problem: string } {
  if (!isRef(ref)) return { problem: writeMalformed(ref) };
  const part = findPart(view.facts, ref);
  const kind = part === undefined ? undefined : prunableKind(view.facts.transcript.part(part));
  if (part === undefined || !kind) return { problem: `${ref}: ${explainUnknown(ref, view)}` };
  if (!isOffered(kind, view)) return { problem: `${ref}: pruning of ${KINDS[kind]} is turned off` };
  return { ref, part, kind };
}

const KINDS: Readonly<Record<PrunableKind, string>> = {
  tool: "tool results",
  message: "messages",
  reasoning: "reasoning",
};

/** The answer for a ref of a result that the host has cleared. */
export const HOST_CLEARED = "the host has cleared it already: read it with context_recall";

export function writeMalformed(ref: string): string {
  return `Invalid hash format ${JSON.stringify(ref)}: a ref is exactly 6 lowercase hex digits, as in "a1b2c3"`;
}

function explainUnknown(ref: Ref, view: AgentView): string {
  if (findCleared(view.facts, ref) !== undefined) return HOST_CLEARED;
  if (view.facts.refs.placeOf(ref))
    return "this is the ref of a cut, not of a part: restore it, or name the part";
  const gone = view.compacted ? " What the host has compacted is gone." : "";
  return `unknown ref.${gone} Take refs from tags or context_info; results of calls made in this same step can be named from the next step on`;
}

/** The answer for a part that was already cut, by anyone; `undefined` if it was not. */
function findPruned(part: number, view: AgentView, requestOf: RequestOf): string | undefined {
  if (findWaiting(view, part)) return "already pruned: it waits for a cut that reaches it";
  const cut = findCut(view, part);
  if (!cut) return undefined;
  return `already pruned (${countOf(view.requests - (requestOf(cut.id) ?? 0), "step")} ago)`;
}

/** Returns the request at which a cut was made. */
type RequestOf = (id: EditId) => number | undefined;

/** Built once for all targets of a call, and only if one of them was cut before. */
function indexRequests({ ledger }: AgentView): RequestOf {
  let known: Map<EditId, number> | undefined;
  return (id) => {
    known ??= new Map(
      ledger.entries.flatMap(({ edit, request }) => (edit.type === "undo" ? [] : [[edit.id, request]])),
    );
    return known.get(id);
  };
}

function explain(
  issue: RefusalIssue,
  action: "discard" | "distill",
  part: number,
  summary: string | undefined,
  view: AgentView,
): string {
  const protection = view.protectedFrom(part);
  if (protection) return `${protection}: nothing may cut it`;
  const target = view.facts.transcript.part(part);
  if (target.kind === "reasoning" && target.signed) {
    return action === "distill"
      ? "signed reasoning can't be rewritten: discard it instead"
      : explainSigned(issue.refusal);
  }
  if (issue.refusal.code !== "not-smaller") return wordRefusal(issue.refusal);
  const tokens = formatNumber(view.view.tokens[part] ?? 0);
  return action === "distill"
    ? `the summary (${formatNumber(estimateTokens(summary ?? ""))} tokens) is no shorter than the part (${tokens}): write a shorter one`
    : `it would not get smaller: it has ${tokens} tokens`;
}

function explainSigned(refusal: Refusal): string {
  const why = wordRefusal(refusal);
  return refusal.code === "signed-in-loop" ? `${why}: discard it in a later turn` : why;
}
