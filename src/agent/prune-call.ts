import type { Ref } from "../edits/edit.ts";
import { isRef } from "../edits/refs.ts";
import type { CallFact } from "../facts/calls.ts";
import type { Facts } from "../facts/facts.ts";
import { isRecord } from "../json.ts";

const PRUNE_TOOL = "context_prune";

/** The refs that a recorded `context_prune` discard was answered with: the answer decides, not the call. */
export function acceptedDiscards(facts: Facts, fact: CallFact): readonly Ref[] {
  const call = facts.transcript.part(fact.call);
  if (!fact.ok || fact.use.name !== PRUNE_TOOL || call.kind !== "call") return [];
  if (readAction(call.input) !== "discard") return [];
  const answer = facts.transcript
    .part(fact.result)
    .leaves.map(({ text }) => text)
    .join("\n");
  const accepted = new Set(/^Cut: ([0-9a-f, ]+)$/m.exec(answer)?.[1]?.split(", "));
  return readTargets(call.input)
    .filter((ref) => accepted.has(ref))
    .filter(isRef);
}

export function readAction(input: unknown): string | undefined {
  return isRecord(input) && typeof input.action === "string" ? input.action : undefined;
}

/** The first string of each target, whether it is given as `[ref]` or as `ref`. */
export function readTargets(input: unknown): readonly string[] {
  if (!isRecord(input) || !Array.isArray(input.targets)) return [];
  return input.targets.flatMap((target: unknown) => {
    const ref: unknown = Array.isArray(target) ? target[0] : target;
    return typeof ref === "string" ? [ref] : [];
  });
}
