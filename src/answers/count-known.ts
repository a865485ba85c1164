import type { AgentView } from "../agent/agent-view.ts";
import { listRefs, type WrittenRef } from "../agent/long-ref.ts";
import { listTargets, readOperation } from "../agent/prune-input.ts";
import { isRecord } from "../basics/json.ts";
import { findMatches, listReplaceable } from "../replace/find-matches.ts";
import type { Ref } from "../transcript/refs.ts";

/** The refs that a call of one of our tools names. */
export function refsIn(input: unknown): readonly (WrittenRef & { readonly ref: Ref })[] {
  const targets = listTargets(input).map((target): unknown => (Array.isArray(target) ? target[0] : target));
  return listRefs([isRecord(input) ? input.ref : undefined, ...targets]);
}

/** How many refs and passages in a call of our tools are found in a conversation. */
export function countKnown(input: unknown, view: AgentView): number {
  const refs = refsIn(input).filter(({ ref }) => view.facts.refs.placeOf(ref) !== undefined);
  if (!isRecord(input) || input.action !== "replace") return refs.length;
  const texts = listReplaceable(view, view.settings);
  const operations = listTargets(input).flatMap((target) => readOperation(target) ?? []);
  return operations.filter(({ start, end }) => findMatches(texts, start, end).length > 0).length;
}
