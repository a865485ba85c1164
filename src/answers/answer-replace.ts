import type { AgentView } from "../agent/agent-view.ts";
import { listPrunable, listWaiting, writeAvailable } from "../agent/prunable.ts";
import { MINIMUM_PATTERN, readOperation } from "../agent/prune-input.ts";
import { type NamedCut, writeNamed } from "../agent/read-answer.ts";
import { describeWhere } from "../agent/subject.ts";
import { findPartialOverlap } from "../edits/leaf-edits.ts";
import { listReplaceable } from "../replace/find-matches.ts";
import { findReplacements, type Replacement } from "../replace/find-replacements.ts";
import type { Foreseen } from "../schedule/rehearse.ts";
import { prunableKind } from "../transcript/part.ts";
import { BESIDE } from "./answer-parts.ts";
import { type Done, writeDone, writeRefusal } from "./write-answer.ts";
import { type AcceptedChange, writeEffect } from "./write-effect.ts";

/** Answers a replace. If there is any problem, nothing changes. */
export function answerReplace(targets: readonly unknown[], view: AgentView): string {
  const operations = targets.map(readOperation);
  const malformed = operations.flatMap((operation, i) =>
    operation
      ? []
      : [`Operation ${i + 1}: give it as ["start", "end", "replacement"], start and end not empty`],
  );
  if (malformed.length > 0) return writeRefusal("replace", malformed, view);
  const { replacements, errors } = findReplacements(
    view,
    listReplaceable(view, view.settings),
    operations.filter((operation) => operation !== undefined),
    { minimumPattern: MINIMUM_PATTERN },
  );
  const foreseen = view.rehearse({ plans: replacements.map(({ plan }) => plan) }).cuts;
  const overlaps = replacements.map(
    (each, i) => findWaitingOverlap(each, view) ?? (foreseen[i] ? [] : BESIDE),
  );
  const problems = [...errors, ...overlaps.flat()];
  if (problems.length > 0) return writeRefusal("replace", problems, view);

  const cuts = replacements.flatMap((each, i) => describeCut(each, foreseen[i], view));
  return [
    writeDone("replace", cuts),
    writeEffect(cuts, view),
    writeNamed("Cut", cuts),
    writeAvailable(listPrunable(view)),
  ].join("\n");
}

function describeCut(
  { part, from, to, ref }: Replacement,
  foreseen: Foreseen | undefined,
  { facts }: AgentView,
): readonly (NamedCut & Done & AcceptedChange)[] {
  const partRef = facts.partRef(part);
  const kind = prunableKind(facts.transcript.part(part)) ?? "user";
  const name = facts.calls.of(part)?.use.name ?? "tool";
  if (partRef === undefined || !foreseen) return [];
  return [{ ref, at: { part: partRef, from, to }, kind, name, part, ...foreseen }];
}

/** Two edits must not overlap in part. The waiting one came first, so the new one is refused. */
function findWaitingOverlap({ part, plan }: Replacement, view: AgentView): string | undefined {
  const other = listWaiting(view, part).find(
    (waiting) =>
      !("drop" in waiting) &&
      waiting.spans.some((cut) =>
        plan.spans.some((span) => span.leaf === cut.leaf && findPartialOverlap([cut], span)),
      ),
  );
  return (
    other && `overlapping the cut ${other.price.ref}, which waits, in ${describeWhere(view.facts, part)}`
  );
}
