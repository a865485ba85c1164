import type { Config, PresetName } from "../config/config.ts";
import type { Reread, SessionAnalysis } from "./analyze-session.ts";
import type { ColdStarts, Spending } from "./spend-session.ts";

/** Many sessions together; in each list what cost most comes first. */
export interface Analysis {
  readonly sessions: readonly RankedSession[];
  /** How many sessions of each agent. */
  readonly sources: Readonly<Record<string, number>>;
  readonly requests: number;
  readonly sent: number;
  readonly bill: number;
  /** Of the sessions for which the prices of all models are known. */
  readonly dollars: number;
  /** Sessions with a model of unknown price: they are in the bill, but not in the dollars. */
  readonly unpriced: number;
  readonly tools: readonly Spending[];
  readonly kinds: readonly Spending[];
  /** Share of the tokens sent that something newer had replaced. */
  readonly staleShare: number;
  readonly rereads: readonly Reread[];
  readonly coldStarts: ColdStarts;
  readonly presets: readonly PresetOutcome[];
}

export interface PresetOutcome {
  readonly preset: PresetName;
  /** Share of the bill. */
  readonly saved: number;
  readonly dollars: number;
}

/** A session, and how much pruning as configured would have saved of its bill. */
export interface RankedSession extends SessionAnalysis {
  readonly avoidable: number;
  readonly avoidableDollars?: number;
}

export function sumAnalyses(sessions: readonly SessionAnalysis[], config: Config): Analysis {
  const { preset } = config.strategies.aggressivePruning;
  const ranked = sessions.map((session) => rank(session, preset)).sort(byHarm);
  const add = (pick: (session: SessionAnalysis) => number): number =>
    sessions.reduce((sum, session) => sum + pick(session), 0);
  const bill = add((session) => session.bill);
  const sent = add((session) => session.sent);
  return {
    sessions: ranked,
    sources: countBy(sessions.map(({ source }) => source)),
    requests: add(({ requests }) => requests),
    sent,
    bill,
    dollars: add(({ dollars }) => dollars ?? 0),
    unpriced: sessions.filter(({ dollars }) => dollars === undefined).length,
    tools: sumSpending(sessions.map(({ tools }) => tools)),
    kinds: sumSpending(sessions.map(({ kinds }) => kinds)),
    staleShare: sent === 0 ? 0 : add(({ stale }) => stale) / sent,
    rereads: sumRereads(sessions),
    coldStarts: {
      count: add(({ coldStarts }) => coldStarts.count),
      tokens: add(({ coldStarts }) => coldStarts.tokens),
      bill: add(({ coldStarts }) => coldStarts.bill),
    },
    presets: (["compact", "balanced", "verbose"] as const).map((name) => ({
      preset: name,
      saved: bill === 0 ? 0 : add((session) => session.bill * (1 - session.presets[name])) / bill,
      dollars: add(({ dollars, presets }) => (dollars ?? 0) * (1 - presets[name])),
    })),
  };
}

function rank(session: SessionAnalysis, preset: PresetName): RankedSession {
  const saved = 1 - session.presets[preset];
  return {
    ...session,
    avoidable: session.bill * saved,
    ...(session.dollars !== undefined && { avoidableDollars: session.dollars * saved }),
  };
}

function byHarm(a: RankedSession, b: RankedSession): number {
  return b.avoidable - a.avoidable || b.bill - a.bill || (a.path < b.path ? -1 : 1);
}

function sumSpending(lists: readonly (readonly Spending[])[]): readonly Spending[] {
  const byName = new Map<string, Spending>();
  for (const spending of lists.flat()) {
    const known = byName.get(spending.name) ?? { name: spending.name, tokens: 0, sent: 0, bill: 0 };
    byName.set(spending.name, {
      name: spending.name,
      tokens: known.tokens + spending.tokens,
      sent: known.sent + spending.sent,
      bill: known.bill + spending.bill,
    });
  }
  return [...byName.values()].sort((a, b) => b.bill - a.bill || (a.name < b.name ? -1 : 1));
}

/** Files of different sessions are different files, even with the same name. Only the largest are listed. */
function sumRereads(sessions: readonly SessionAnalysis[]): readonly Reread[] {
  return sessions
    .flatMap(({ rereads }) => rereads)
    .sort((a, b) => b.again - a.again || (a.file < b.file ? -1 : 1))
    .slice(0, 50);
}

function countBy(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of [...names].sort()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
