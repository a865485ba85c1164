import { AGENT } from "../edits/authors.ts";
import type { CutPlan, ReplacePlan, Timing } from "../edits/cut-plan.ts";
import type { CallFact } from "../facts/calls.ts";
import type { Facts } from "../facts/facts.ts";
import { namesPart } from "../schedule/restorals.ts";
import type { Strategy } from "../strategies/strategy.ts";
import { prunableKind } from "../transcript/part.ts";
import type { Ref } from "../transcript/refs.ts";
import { isRef } from "../transcript/refs.ts";
import { findSummaries } from "./find-summaries.ts";
import { isRefOf, proposeDiscard, proposeDistill, proposeReplace } from "./propose.ts";
import { listTargets, type PartTarget, readOperation, readPartTarget } from "./prune-input.ts";
import { type AnsweredCommand, type NamedCut, readAnswered } from "./read-answer.ts";

/**
 * Carries out the agent's `context_prune` calls. They are read from the transcript, so an undo in the host undoes
 * them, and a fork has them too.
 *
 *   bash npm test #a1b2c3 | context_prune discard [["a1b2c3"]] answered "Cut: a1b2c3"   ->  that result replaced
 *   … answered "nothing changed"                                                        ->  nothing
 */
export const agentCommands: Strategy = {
  name: AGENT,
  // The agent may also cut a result that a newer one refers to: it knows best what it needs.
  mayReplace: { needed: true },
  propose: (step, facts) =>
    step.completed.flatMap((fact) => {
      const command = readAnswered(facts, fact);
      return command ? proposeCommand(facts, fact, command) : [];
    }),
  restores: (step, facts) =>
    step.completed.flatMap((fact) => {
      const command = readAnswered(facts, fact);
      return command?.action === "restore"
        ? listAccepted(command).map(({ ref, timing }) => ({ ref, ...timing }))
        : [];
    }),
};

/** The part that has this ref; `undefined` if it is the ref of something else. */
export function findPart(facts: Facts, ref: Ref): number | undefined {
  const place = namesPart(ref, facts) ? facts.refs.placeOf(ref) : undefined;
  return place && facts.transcript.find(place.part);
}

/** The original text of a result that the host has cleared, if the ref names one. */
export function findCleared(facts: Facts, ref: Ref): string | undefined {
  const place = facts.refs.placeOf(ref);
  const index = place && facts.transcript.find(place.part);
  const part = index === undefined ? undefined : facts.transcript.part(index);
  return part?.kind === "result" ? part.clearedText?.text : undefined;
}

function proposeCommand(facts: Facts, fact: CallFact, command: AnsweredCommand): readonly CutPlan[] {
  if (command.action === "restore") return [];
  if (command.action === "replace") return proposeOperations(facts, fact, command);
  return listAccepted(command).flatMap(({ ref, summary, timing }) => {
    const part = findEarlier(facts, fact, ref);
    if (part === undefined || !prunableKind(facts.transcript.part(part))) return [];
    const plan =
      command.action === "discard" ? proposeDiscard(facts, part) : distill(facts, fact, part, summary);
    return plan ? { ...plan, ...timing } : [];
  });
}

/**
 * Removes the summary from the call as soon as the call is in the context. A call without its summary was carried
 * out before.
 */
function distill(
  facts: Facts,
  { call }: CallFact,
  part: number,
  summary: string | undefined,
): ReplacePlan | undefined {
  const plan = summary ? proposeDistill(facts, part, summary) : undefined;
  return plan && { ...plan, along: findSummaries(facts, call, facts.partRef(part)) };
}

/** The accepted cuts are listed in the order of the operations. */
function proposeOperations(
  facts: Facts,
  fact: CallFact,
  { input, named = [] }: AnsweredCommand,
): readonly CutPlan[] {
  const operations = listTargets(input).map(readOperation);
  return named.flatMap(({ ref, at, when }: NamedCut, i) => {
    const operation = operations[i];
    const part = at && findEarlier(facts, fact, at.part);
    if (!operation || !at || part === undefined) return [];
    const stretch = { part, from: at.from, to: at.to };
    const plan = isRefOf(ref, facts, stretch) && proposeReplace(facts, stretch, operation.replacement);
    return plan ? { ...plan, timing: when } : [];
  });
}

interface AcceptedTarget extends PartTarget {
  readonly ref: Ref;
  /** Empty if the answer was cleared. */
  readonly timing: { readonly timing?: Timing };
}

/** The targets that the answer names, each once. Without an answer, all targets: the guard decides. */
function listAccepted({ input, named }: AnsweredCommand): readonly AcceptedTarget[] {
  const accepted = named && new Map(named.map(({ ref, when }) => [ref, when]));
  const listed = new Set<Ref>();
  return listTargets(input).flatMap((rawTarget) => {
    const target = readPartTarget(rawTarget);
    if (!target || !isRef(target.ref) || listed.has(target.ref)) return [];
    const timing = accepted?.get(target.ref);
    if (accepted && timing === undefined) return [];
    listed.add(target.ref);
    return [{ ref: target.ref, summary: target.summary, timing: timing ? { timing } : {} }];
  });
}

/** The part, if it was in the context when the call was made: parts of the call's own step were not. */
function findEarlier(facts: Facts, fact: CallFact, ref: Ref): number | undefined {
  const part = findPart(facts, ref);
  const step = part === undefined ? undefined : facts.transcript.step[part];
  return step !== undefined && step < fact.step ? part : undefined;
}
