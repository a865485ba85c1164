import { findCleared } from "../agent/agent-commands.ts";
import type { AgentView } from "../agent/agent-view.ts";
import { listPrunable, listWaiting, writeAvailable } from "../agent/prunable.ts";
import { readPartTarget } from "../agent/prune-input.ts";
import { writeNamed } from "../agent/read-answer.ts";
import { AGENT } from "../edits/authors.ts";
import { listRestored, withdrawnBy } from "../schedule/restorals.ts";
import { prunableKind } from "../transcript/part.ts";
import type { Ref } from "../transcript/refs.ts";
import { isRef } from "../transcript/refs.ts";
import { HOST_CLEARED, writeMalformed } from "./answer-parts.ts";
import { type Done, writeDone, writeRefusal } from "./write-answer.ts";
import { type AcceptedChange, writeBack } from "./write-effect.ts";

interface Restorable extends Done {
  readonly ref: Ref;
  readonly part: number;
}

/** Answers a restore, which undoes the agent's own cuts. */
export function answerRestore(targets: readonly unknown[], view: AgentView): string {
  const named = new Set<string>();
  const outcomes = targets.map((target) => {
    const ref = readPartTarget(target)?.ref ?? "";
    if (named.has(ref)) return { problem: `${ref}: named twice in this call` };
    named.add(ref);
    return findRestorable(ref, view);
  });
  const problems = outcomes.flatMap((outcome) => ("problem" in outcome ? [outcome.problem] : []));
  const found = outcomes.flatMap((outcome) => ("problem" in outcome ? [] : [outcome]));
  if (found.length === 0) return writeRefusal("restore", problems, view);
  const foreseen = view.rehearse({ restored: found.map(({ ref }) => ref) }).restored;
  const restored = found.flatMap((each, i): readonly (Restorable & AcceptedChange)[] => {
    const back = foreseen[i];
    return back ? [{ ...each, ...back }] : [];
  });
  return [
    writeDone("restore", restored),
    writeBack(restored, view),
    writeNamed("Restored", restored),
    ...problems.map((problem) => `- ${problem}`),
    writeAvailable(listPrunable(view)),
  ].join("\n");
}

function findRestorable(ref: string, view: AgentView): Restorable | { readonly problem: string } {
  if (!isRef(ref)) return { problem: writeMalformed(ref) };
  const { facts, ledger } = view;
  const restoral = { ref, author: AGENT };
  const place = facts.refs.placeOf(ref);
  const part = place && facts.transcript.find(place.part);
  if (part === undefined)
    return { problem: `${ref}: unknown ref. The answers to your cuts contain their refs` };
  const isWaiting = listWaiting(view, part).some(withdrawnBy([restoral], facts));
  if (listRestored(restoral, facts, ledger).length === 0 && !isWaiting)
    return { problem: `${ref}: ${explain(ref, view)}` };
  const kind = prunableKind(facts.transcript.part(part)) ?? "user";
  const name = facts.calls.of(part)?.use.name ?? "tool";
  return { ref, part, kind, name };
}

function explain(ref: Ref, { facts, ledger }: AgentView): string {
  if (findCleared(facts, ref) !== undefined) return HOST_CLEARED;
  const [cut] = listRestored({ ref, author: undefined }, facts, ledger);
  return cut
    ? `not cut by you but by ${cut.author} (${cut.reason}): read it with context_recall`
    : "not cut now: there is nothing to restore";
}
