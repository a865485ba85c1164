import type { Ref } from "../edits/edit.ts";
import { isRef } from "../edits/refs.ts";
import { listRestored } from "../schedule/restorals.ts";
import { prunableKind } from "../transcript/part.ts";
import { findCleared, findPart } from "./agent-commands.ts";
import { AGENT, type AgentView } from "./agent-view.ts";
import { HOST_CLEARED, writeMalformed } from "./answer-parts.ts";
import { listPrunable, writeAvailable } from "./prunable.ts";
import { readPartTarget } from "./prune-input.ts";
import { type Done, writeDone, writeRefusal } from "./write-answer.ts";
import { type Change, writeBack } from "./write-effect.ts";

interface Restored extends Done, Change {
  readonly ref: Ref;
}

/** Takes back what the agent itself has cut. */
export function answerRestore(targets: readonly unknown[], view: AgentView): string {
  const outcomes = targets.map((target) => restore(readPartTarget(target)?.ref ?? "", view));
  const problems = outcomes.flatMap((outcome) => ("problem" in outcome ? [outcome.problem] : []));
  const restored = outcomes.flatMap((outcome) => ("problem" in outcome ? [] : [outcome]));
  if (restored.length === 0) return writeRefusal("restore", problems, view);
  return [
    writeDone("restore", restored),
    writeBack(restored, view),
    `Restored: ${restored.map(({ ref }) => ref).join(", ")}`,
    ...problems.map((problem) => `- ${problem}`),
    writeAvailable(listPrunable(view)),
  ].join("\n");
}

function restore(ref: string, view: AgentView): Restored | { readonly problem: string } {
  if (!isRef(ref)) return { problem: writeMalformed(ref) };
  const { facts, ledger } = view;
  const cuts = listRestored({ ref, author: AGENT }, facts, ledger);
  const place = facts.refs.placeOf(ref);
  const part = place && facts.transcript.find(place.part);
  if (part === undefined)
    return { problem: `${ref}: unknown ref. The refs of your cuts stand in their answers` };
  const isWaiting = view.waiting.some(
    (each) =>
      each.author === AGENT && each.at === part && (each.ref === ref || findPart(facts, ref) === part),
  );
  if (cuts.length === 0 && !isWaiting) return { problem: `${ref}: ${explain(ref, view)}` };
  const kind = prunableKind(facts.transcript.part(part)) ?? "user";
  const name = facts.calls.of(part)?.use.name ?? "tool";
  return { ref, part, kind, name, saves: cuts.reduce((sum, { saved }) => sum + saved, 0) };
}

function explain(ref: Ref, { facts, ledger }: AgentView): string {
  if (findCleared(facts, ref) !== undefined) return HOST_CLEARED;
  const [cut] = listRestored({ ref, author: undefined }, facts, ledger);
  return cut
    ? `not cut by you but by ${cut.author} (${cut.reason}): read it with context_recall`
    : "not cut now: there is nothing to take back";
}
