import { type Recording, readRecording } from "../../src/recordings/index.ts";
import { noPruning, prepareReplay, type ReplayBench, type ReplayTotals } from "../../src/replay/index.ts";
import { fitSession, type SessionFit } from "./fit-session.ts";
import { replayKeepingWarm } from "./keep-warm.ts";
import type { Terms } from "./options.ts";
import { type BenchPolicy, choosePolicies } from "./policies.ts";
import { projectOf } from "./project-of.ts";
import { SCENARIO_POLICIES, SCENARIOS } from "./scenarios.ts";
import { takeApartOnce } from "./take-apart-once.ts";

/** One session under all policies. Plain data, for it comes from a worker. */
export interface SessionFigures extends SessionFit {
  readonly source: string;
  readonly project: string;
  readonly totals: readonly ReplayTotals[];
  /** By the old convention: a prefix of 8,000 tokens, tokens by our own estimate, input alone. */
  readonly convention: readonly ReplayTotals[];
  readonly scenarios: readonly ScenarioFigures[];
  readonly keepWarm: readonly ReplayTotals[];
}

export interface ScenarioFigures {
  readonly scenario: string;
  readonly totals: readonly ReplayTotals[];
}

export type SessionOutcome =
  | { readonly ok: true; readonly figures: SessionFigures }
  | { readonly ok: false; readonly file: string; readonly why: string; readonly fit?: SessionFit };

export async function replaySession(file: string, terms: Terms): Promise<SessionOutcome> {
  const read = await readRecording(file);
  if (!read.ok) return { ok: false, file, why: read.issue.message };
  const recording = read.value;
  takeApartOnce(recording.format);
  const bench = prepareReplay(recording, terms);
  const fit = fitSession(file, recording, bench, terms);
  if (bench.unpruned.count < terms.least)
    return { ok: false, file, why: `only ${bench.unpruned.count} requests`, fit };
  const totals = await runAll(bench, recording, choosePolicies(terms));
  const scenarios: ScenarioFigures[] = [];
  for (const scenario of terms.scenarios ? SCENARIOS : []) {
    const policies = choosePolicies({ ...terms, before: undefined, policies: SCENARIO_POLICIES });
    const figures = await runAll(prepareReplay(recording, scenario), recording, policies);
    scenarios.push({ scenario: scenario.name, totals: figures });
  }
  const convention = terms.convention
    ? await runAll(
        prepareReplay(recording, { ...terms, prefixTokens: 8_000 }),
        recording,
        choosePolicies(terms),
      )
    : [];
  const keepWarm = terms.keepWarm ? replayKeepingWarm(bench) : [];
  const { source } = recording;
  const project = projectOf(file, recording);
  return { ok: true, figures: { ...fit, source, project, totals, convention, scenarios, keepWarm } };
}

async function runAll(
  bench: ReplayBench,
  recording: Recording,
  policies: readonly BenchPolicy[],
): Promise<readonly ReplayTotals[]> {
  const totals: ReplayTotals[] = [];
  for (const policy of policies) {
    const isUnpruned = policy.name === noPruning.name;
    const { requests: _, ...rest } = isUnpruned ? bench.unpruned : bench.run(await policy.open(recording));
    totals.push(rest);
  }
  return totals;
}
