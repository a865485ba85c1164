import { findCleared } from "../agent/agent-commands.ts";
import type { AgentView } from "../agent/agent-view.ts";
import { describePart } from "../agent/subject.ts";
import { formatNumber } from "../basics/numbers.ts";
import { isLossless } from "../edits/edit.ts";
import { describeRisk } from "../risk/describe-risk.ts";
import type { Ref } from "../transcript/refs.ts";
import { isRef } from "../transcript/refs.ts";
import type { Report } from "./report.ts";

/**
 * Explains to a person what happened to the text that a ref names.
 *
 *   a1b2c3 is the result of read src/a.ts: cut at step 12 by file-views, 1,834 tokens saved: a newer read of the file
 */
export function explainRef(ref: string, report: Report, view: AgentView): string {
  if (!isRef(ref))
    return `${ref || "That"} is not a ref: a ref is exactly 6 lowercase hex digits, as in a1b2c3.`;
  const subject = findSubject(ref, view);
  const undone = new Set(report.edits.flatMap(({ edit }) => (edit.type === "undo" ? [edit.target] : [])));
  const made = report.edits.flatMap(({ edit }) => (edit.type !== "undo" && edit.ref === ref ? [edit] : []));
  const cuts = report.edits.flatMap(({ edit, request }) =>
    edit.type !== "undo" && edit.ref === ref
      ? [
          `${isLossless(edit) ? "in fewer tokens from" : "cut at"} step ${request + 1} by ${edit.author}, ${formatNumber(edit.saved)} tokens saved: ${edit.reason}${
            undone.has(edit.id) ? " (taken back since)" : ""
          }`,
          ...(edit.risk ? [describeRisk(edit.risk)] : []),
        ]
      : [],
  );
  const waiting = report.waiting
    .filter((plan) => plan.ref === ref)
    .flatMap(({ author, reason, saves, bound, risk }) => [
      `to be cut by ${author} when ${bound ? "no reasoning is bound to it any more" : "it is cheap"}, saves ${formatNumber(saves)} tokens: ${reason}`,
      ...(risk ? [describeRisk(risk)] : []),
    ]);
  if (!subject && cuts.length === 0 && waiting.length === 0)
    return `Nothing in this session has the ref ${ref}.`;
  const isWhole = made.every(isLossless) && waiting.length === 0;
  return [
    `${ref} is ${subject ?? "a text of this session"}`,
    ...(isWhole ? [describeUncut(ref, view)] : []),
    ...cuts,
    ...waiting,
  ].join("\n  ");
}

function describeUncut(ref: Ref, { facts }: AgentView): string {
  return findCleared(facts, ref) === undefined ? "it is whole" : "the host has cleared it itself";
}

function findSubject(ref: string, { facts }: AgentView): string | undefined {
  const place = isRef(ref) ? facts.refs.placeOf(ref) : undefined;
  const index = place && facts.transcript.find(place.part);
  return index === undefined ? undefined : describePart(facts, index);
}
