import { parseTree } from "jsonc-parser";
import { isRecord } from "../basics/json.ts";
import { remember } from "../basics/remember.ts";
import { MOST_SPANS, type PlannedSpan, type SignedPlan } from "../edits/cut-plan.ts";
import type { Facts } from "../facts/facts.ts";
import { contextCalls } from "../strategies/context-calls.ts";
import { findLeaf } from "../transcript/find-leaf.ts";
import type { CallPart } from "../transcript/part.ts";
import type { Ref } from "../transcript/refs.ts";
import { listTargets, readPartTarget } from "./prune-input.ts";

/**
 * The summaries of one part in the input of a distill call, emptied. The ref stays, so the call still shows its
 * subject.
 *
 *   targets: [["a1b2c3", "200 tokens of summary"]]   ->  [["a1b2c3", ""]]
 */
export function findSummaries(
  { transcript }: Facts,
  call: number,
  ref: Ref | undefined,
): readonly SignedPlan[] {
  const part = transcript.part(call);
  if (part.kind !== "call" || ref === undefined) return [];
  return (summariesOf(part).get(ref) ?? []).map((span) => ({ part: call, spans: [span], ...BY }));
}

const BY = {
  author: contextCalls.name,
  mechanism: "context",
  reason: "its summary is in place",
} as const;

/** Keyed by ref, because it is queried for each target of a call. */
const summariesOf = remember((part: CallPart): ReadonlyMap<string, readonly PlannedSpan[]> => {
  const written = isRecord(part.input) ? part.input.targets : undefined;
  const targets = listTargets(part.input);
  const byRef = new Map<string, PlannedSpan[]>();
  // Each span is a separate cut, after which the whole input is counted again.
  if (targets.length > MOST_SPANS) return byRef;
  const spanOf = typeof written === "string" ? spansInText(written) : spansOfLeaves(part);
  for (const [i, rawTarget] of targets.entries()) {
    const target = readPartTarget(rawTarget);
    const span = target?.summary ? spanOf(i) : undefined;
    if (!target || !span) continue;
    const known = byRef.get(target.ref);
    if (known) known.push(span);
    else byRef.set(target.ref, [span]);
  }
  return byRef;
});

type SpanOf = (target: number) => PlannedSpan | undefined;

function spansOfLeaves(part: CallPart): SpanOf {
  return (target) => {
    const leaf = findLeaf(part, `${TARGETS}/${target}/1`);
    return leaf && { leaf: leaf.id, from: 0, to: leaf.text.length, render: () => "" };
  };
}

/** For a list that was sent as a JSON text, which has to stay valid. */
function spansInText(text: string): SpanOf {
  const targets = parseTree(text)?.children ?? [];
  return (target) => {
    const summary = targets[target]?.children?.[1];
    if (summary?.type !== "string") return undefined;
    const { offset: from, length } = summary;
    return { leaf: TARGETS, from, to: from + length, render: () => '""' };
  };
}

const TARGETS = "input/targets";
