import type { Config } from "../config/config.ts";
import type { ReplacePlan } from "../edits/cut-plan.ts";
import type { Facts } from "../facts/facts.ts";
import { makePolicy } from "../fold/policy.ts";
import { createPruner } from "../pruner.ts";
import type { Rung, ShownSession } from "../strategies/rung.ts";
import { aggressiveShakeRung, shakeRung } from "../strategies/shake/shake-rung.ts";
import { type Pass, usePass } from "../strategies/strategy.ts";
import { placeholderRung } from "../strategies/trim/rungs.ts";
import { estimateTokens } from "../transcript/estimate.ts";
import type { Recording } from "./recording.ts";

export type ShakeLevel = "usual" | "aggressive";

/** A part that can be cut in a whole session, judged at its end. */
interface Candidate {
  readonly author: string;
  readonly key: string;
  /** Number of parts of its segment. */
  readonly end: number;
  readonly plan: ReplacePlan;
  /** Estimated tokens. */
  readonly saves: number;
}

/** Passes that cut everything that a shake would. */
export function makeShakePasses(recording: Recording, config: Config, level: ShakeLevel): readonly Pass[] {
  return toPasses(listCandidates(recording, config, listShakes(config, level)));
}

/**
 * Returns a function from a number of tokens to passes that save at least that many, in the ladder's order. Only
 * the last segment counts: text from before a compaction is no longer sent.
 */
export function createLadder(recording: Recording, config: Config): (tokens: number) => readonly Pass[] {
  const rungs = [...listShakes(config, "aggressive"), placeholderRung(config.strategies.trim)];
  const last = { ...recording, segments: recording.segments.slice(-1) };
  const candidates = listCandidates(last, config, rungs);
  return (tokens) => {
    let saved = 0;
    return toPasses(
      candidates.filter(({ saves }) => {
        const isNeeded = saved < tokens;
        saved += saves;
        return isNeeded;
      }),
    );
  };
}

function listShakes({ strategies: { shake } }: Config, level: ShakeLevel): readonly Rung[] {
  return level === "usual" ? [shakeRung(shake)] : [shakeRung(shake), aggressiveShakeRung(shake)];
}

/** The cuts of each rung in a session that was pruned with the configuration. For each part, the first rung wins. */
function listCandidates(recording: Recording, config: Config, rungs: readonly Rung[]): readonly Candidate[] {
  const candidates: Candidate[] = [];
  for (const { facts, shown } of readSegments(recording, config)) {
    const taken = new Set<number>();
    for (const rung of rungs) {
      const plans = [...rung.propose(facts, shown)].filter(isReplacement);
      const own = plans.filter(({ part }) => !taken.has(part));
      for (const plan of own) {
        taken.add(plan.part);
        const key = facts.transcript.key(plan.part);
        const saves = measure(facts, shown, plan);
        candidates.push({ author: rung.name, key, end: facts.transcript.length, plan, saves });
      }
    }
  }
  return candidates;
}

/**
 * One pass for each author. It plans the cut of a part as soon as the part comes, as if it had always been cut, and
 * again at the end of the session: the newest user message is protected until a newer one comes.
 */
function toPasses(candidates: readonly Candidate[]): readonly Pass[] {
  const byAuthor = new Map<string, Map<string, Candidate[]>>();
  for (const candidate of candidates) {
    const { author, key } = candidate;
    const byPart = byAuthor.get(author) ?? new Map<string, Candidate[]>();
    byAuthor.set(author, byPart);
    const own = byPart.get(key);
    if (own) own.push(candidate);
    else byPart.set(key, [candidate]);
  }
  return [...byAuthor].map(([name, byPart]) => {
    const ends = new Set([...byPart.values()].flat().map(({ end }) => end));
    return usePass({
      name,
      propose({ from, to }, { transcript }) {
        const plans: ReplacePlan[] = [];
        for (let part = ends.has(to) ? 0 : from; part < to; part++) {
          const own = byPart.get(transcript.key(part)) ?? [];
          for (const { plan } of own) if (plan.part === part) plans.push(plan);
        }
        return plans;
      },
    });
  });
}

/** The facts and the view of each segment at its end. */
function readSegments({ format, segments }: Recording, config: Config) {
  const found: { readonly facts: Facts; readonly shown: ShownSession }[] = [];
  for (const { messages, meta, carried } of segments) {
    let facts: Facts | undefined;
    const spy = usePass({
      name: "read-facts",
      propose(_, seen) {
        facts = seen;
        return [];
      },
    });
    const passes = [...makePolicy({ config }).passes, spy];
    const { report } = createPruner({ format, config, passes, ladder: [] }).prune(messages, {
      meta,
      carried,
    });
    if (!facts) continue;
    const { transcript } = facts;
    const saved = new Map<string, number>();
    for (const { edit } of report.edits)
      if (edit.type === "replace") saved.set(edit.part, (saved.get(edit.part) ?? 0) + edit.saved);
    const tokens = transcript.tokens.map((count, part) => count - (saved.get(transcript.key(part)) ?? 0));
    found.push({ facts, shown: { tokens, isCut: (part) => saved.has(transcript.key(part)) } });
  }
  return found;
}

function measure({ transcript }: Facts, { tokens }: ShownSession, { part, spans }: ReplacePlan): number {
  let saves = 0;
  for (const { leaf, from, to, render } of spans) {
    const { text = "" } = transcript.part(part).leaves.find(({ id }) => id === leaf) ?? {};
    saves += estimateTokens(text.slice(from, to)) - estimateTokens(render(SAMPLE_REF));
  }
  return Math.max(0, Math.min(saves, tokens[part] ?? 0));
}

/** As long as any ref. */
const SAMPLE_REF = "000000" as Parameters<ReplacePlan["spans"][0]["render"]>[0];

function isReplacement(plan: object): plan is ReplacePlan {
  return "spans" in plan;
}
