import { formatNumber } from "../basics/numbers.ts";
import { MECHANISMS, type Mechanism } from "../edits/mechanism.ts";
import type { Usage } from "../transcript/message.ts";
import type { Report } from "./report.ts";
import { addTally, countByMechanism, type Tallies, type Tally } from "./tally.ts";

/** What Coppice has done, for people. Plain JSON: a host may store it and add up sessions. */
export interface Statistics {
  readonly cuts: Tallies;
  /** Tokens by which the newest request is smaller. */
  readonly saved: number;
  /** In tokens of plain input; negative: more expensive so far. */
  readonly billSaved: number;
  /** Missing if no model's price was known. */
  readonly dollarsSaved?: number;
  /** Input tokens as the provider counted them. */
  readonly input: { readonly total: number; readonly fromCache: number };
  /** Cut plans that wait until a cut is worth its price. */
  readonly deferred: Tally;
}

/** `usages`: the provider's usage of the session's responses, as far as it is known. */
export function makeStatistics(report: Report, usages: readonly Usage[] = []): Statistics {
  const { bill, edits, tokens, waiting } = report;
  return {
    cuts: countByMechanism(edits),
    saved: tokens.saved,
    billSaved: bill.without - bill.with,
    ...(bill.dollars && { dollarsSaved: bill.dollars.without - bill.dollars.with }),
    input: {
      total: usages.reduce((sum, usage) => sum + usage.input + usage.cacheRead + usage.cacheWrite, 0),
      fromCache: usages.reduce((sum, usage) => sum + usage.cacheRead, 0),
    },
    deferred: { cuts: waiting.length, tokens: waiting.reduce((sum, { saves }) => sum + saves, 0) },
  };
}

/** Adds up two sessions. */
export function addStatistics(a: Statistics, b: Statistics): Statistics {
  const used = MECHANISMS.filter((mechanism) => a.cuts[mechanism] || b.cuts[mechanism]);
  const dollars = [a.dollarsSaved, b.dollarsSaved].filter((each) => each !== undefined);
  return {
    cuts: Object.fromEntries(
      used.map((mechanism): [Mechanism, Tally] => [
        mechanism,
        addTally(a.cuts[mechanism], b.cuts[mechanism]),
      ]),
    ),
    saved: a.saved + b.saved,
    billSaved: a.billSaved + b.billSaved,
    ...(dollars.length > 0 && { dollarsSaved: dollars.reduce((sum, each) => sum + each, 0) }),
    input: {
      total: a.input.total + b.input.total,
      fromCache: a.input.fromCache + b.input.fromCache,
    },
    deferred: addTally(a.deferred, b.deferred),
  };
}

/** The statistics as plain text, one fact per line. `total`: all sessions, including this one. */
export function formatStatistics(session: Statistics, total?: Statistics): string {
  const sections = [["This session", session] as const, ...(total ? [["In total", total] as const] : [])];
  return sections.map(([title, statistics]) => [title, ...listFacts(statistics)].join("\n  ")).join("\n\n");
}

function listFacts({ cuts, saved, billSaved, dollarsSaved, input, deferred }: Statistics): readonly string[] {
  const tallies = MECHANISMS.flatMap((mechanism) => {
    const tally = cuts[mechanism];
    return tally ? [`${mechanism}: ${describeTally(tally)}`] : [];
  });
  const money = dollarsSaved === undefined ? "" : `, ${formatDollars(dollarsSaved)}`;
  return [
    ...(tallies.length > 0 ? tallies : ["nothing was cut"]),
    `the newest request is smaller by ${formatNumber(saved)} tokens`,
    `saved on the bill: ${formatNumber(billSaved)} tokens of plain input${money}`,
    input.total > 0
      ? `read from the cache: ${((100 * input.fromCache) / input.total).toFixed(1)}% of the input`
      : "read from the cache: not known",
    `deferred: ${describeTally(deferred)}`,
  ];
}

function describeTally({ cuts, tokens }: Tally): string {
  return `${formatNumber(cuts)} ${cuts === 1 ? "cut" : "cuts"}, ${formatNumber(tokens)} tokens`;
}

function formatDollars(dollars: number): string {
  return `${dollars < 0 ? "-" : ""}$${Math.abs(dollars).toFixed(Math.abs(dollars) < 1 ? 4 : 2)}`;
}
