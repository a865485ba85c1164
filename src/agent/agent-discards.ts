import type { Ref } from "../edits/edit.ts";
import type { Facts } from "../facts/facts.ts";
import { replacePart } from "../strategies/replace-part.ts";
import type { Proposal, Strategy } from "../strategies/strategy.ts";
import { acceptedDiscards } from "./prune-call.ts";
import { describeUse } from "./subject.ts";

/** Whom edits that the agent asked for are ascribed to. */
export const AGENT = "agent";

/**
 * Carries out what the agent discarded: read from its own calls in the transcript, so an undo in the host undoes it.
 *
 *   bash npm test #a1b2c3 | context_prune discard [["a1b2c3"]] answered "Cut: a1b2c3"   ->  that result replaced
 */
export const agentDiscards: Strategy = {
  name: AGENT,
  propose(step, facts) {
    return step.completed.flatMap((fact) =>
      acceptedDiscards(facts, fact).flatMap((ref) => proposeDiscard(facts, ref) ?? []),
    );
  },
};

/** The cut that a discard of this ref asks for; `undefined` when the ref names nothing. */
export function proposeDiscard(facts: Facts, ref: Ref): Proposal | undefined {
  const place = facts.refs.placeOf(ref);
  const part = place && facts.transcript.find(place.part);
  if (part === undefined) return undefined;
  const use = facts.calls.of(part)?.use;
  const about = use ? describeUse(use) : facts.transcript.part(part).kind;
  return replacePart(facts, part, (cut) => `[discarded: ${about} · ${cut}]`, {
    reason: "the agent discarded it",
    asked: true,
  });
}
