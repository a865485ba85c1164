import type { Config } from "../config/config.ts";
import type { Facts } from "../facts/facts.ts";
import { createPruner } from "../pruner.ts";
import type { Recording } from "../recordings/recording.ts";
import { listCandidates } from "../strategies/shake/list-candidates.ts";
import { AGGRESSIVE_SHAKE_CONFIG, protectTools, type ShakeConfig } from "../strategies/shake/shake-config.ts";
import { type Pass, type Proposal, usePass } from "../strategies/strategy.ts";

export type ShakeLevel = "usual" | "aggressive";

/**
 * A shake of the whole file, as of its end. What to take is found first; then each part is proposed when it comes, so
 * that the file is as if it had been shaken all along.
 */
export function makeShakePass(recording: Recording, { strategies }: Config, level: ShakeLevel): Pass {
  const protectedTools = protectTools(strategies.shake.protectedTools);
  const base = level === "aggressive" ? AGGRESSIVE_SHAKE_CONFIG : strategies.shake;
  const config: ShakeConfig = { ...base, protectedTools };
  const byPart = new Map<string, Proposal[]>();
  for (const facts of readFacts(recording)) {
    const { transcript } = facts;
    const shown = { tokens: transcript.tokens, isCut: () => false, recut: false };
    for (const { proposal } of listCandidates(facts, config, shown)) {
      const key = transcript.key(proposal.part);
      byPart.set(key, [...(byPart.get(key) ?? []), proposal]);
    }
  }
  return usePass({
    name: level === "aggressive" ? "aggressive-shake" : "shake",
    propose({ from, to }, { transcript }) {
      const proposals: Proposal[] = [];
      for (let part = from; part < to; part++) {
        const own = byPart.get(transcript.key(part)) ?? [];
        proposals.push(...own.filter((proposal) => proposal.part === part));
      }
      return proposals;
    },
  });
}

/** What the parts of each segment mean, once all of it is there. */
function readFacts({ format, segments }: Recording): readonly Facts[] {
  const seen = new Set<Facts>();
  const passes = [
    usePass({
      name: "read-facts",
      propose(_, facts) {
        seen.add(facts);
        return [];
      },
    }),
  ];
  const pruner = createPruner({ format, passes, ladder: [] });
  for (const [index, { messages, meta, carried }] of segments.entries())
    pruner.prune(messages, { session: `${index}`, meta, carried });
  return [...seen];
}
