import type { Spending } from "../analysis/spend-session.ts";
import type { Analysis, RankedSession } from "../analysis/sum-analyses.ts";
import { countOf, shortCount } from "../basics/numbers.ts";
import { percent } from "../replay/table.ts";
import type { Screen } from "./screen.ts";
import { formatDollars, formatRows } from "./table.ts";

const TOP = 10;

/** The analysis as text: totals, where the tokens went, what pruning would have saved, and the worst sessions. */
export function formatAnalysis(analysis: Analysis, paint: Screen["paint"], top: number = TOP): string {
  const { sessions, requests, sent, bill, dollars, unpriced } = analysis;
  const sources = Object.entries(analysis.sources).map(([source, count]) => `${source} ${count}`);
  const costs = dollars > 0 ? `, ${formatDollars(dollars)}` : "";
  const unknown =
    unpriced === 0
      ? []
      : [
          `  ${paint.dim(`The price of a model is not known in ${countOf(unpriced, "session")}: no dollars there. Set schedule.prices.`)}\n`,
        ];
  const section = (title: string, body: string): string => `\n${paint.bold(title)}\n${body}`;
  return [
    `${paint.bold(countOf(sessions.length, "session"))} (${sources.join(", ")}): ${countOf(requests, "request")}, ${shortCount(sent)} tokens sent${costs}\n`,
    ...unknown,
    section("Where it went, by tool", formatSpending(analysis.tools.slice(0, top), bill, paint)),
    section("By kind", formatSpending(analysis.kinds.slice(0, top), bill, paint)),
    section("Waste", formatWaste(analysis, paint)),
    section("What each preset would have saved", formatPresets(analysis, paint)),
    section("Worst sessions first", formatSessions(sessions.slice(0, top), paint)),
  ].join("");
}

function formatSpending(rows: readonly Spending[], bill: number, paint: Screen["paint"]): string {
  return formatRows(
    ["bill", "tokens", "sent", ""],
    rows.map(({ name, tokens, sent, bill: own }) => [
      percent(bill === 0 ? 0 : own / bill),
      shortCount(tokens),
      shortCount(sent),
      name,
    ]),
    paint,
  );
}

function formatWaste({ staleShare, rereads, coldStarts, bill }: Analysis, paint: Screen["paint"]): string {
  const again = rereads.reduce((sum, reread) => sum + reread.again, 0);
  const share = percent(bill === 0 ? 0 : coldStarts.bill / bill);
  const files = rereads
    .slice(0, 5)
    .map(({ file, reads, again: tokens }) => [`${reads}×`, shortCount(tokens), file]);
  return [
    `  ${percent(staleShare)} of what was sent was stale: something newer had replaced it\n`,
    `  ${countOf(coldStarts.count, "time")} the cache was cold: ${shortCount(coldStarts.tokens)} tokens were written again, ${share} of the bill\n`,
    `  ${shortCount(again)} tokens of files that were read again\n`,
    rereads.length === 0 ? "" : formatRows(["reads", "again", "file"], files, paint),
  ].join("");
}

function formatPresets({ presets, dollars }: Analysis, paint: Screen["paint"]): string {
  return formatRows(
    ["saved", ...(dollars > 0 ? ["dollars"] : []), ""],
    presets.map((each) => [
      percent(each.saved),
      ...(dollars > 0 ? [formatDollars(each.dollars)] : []),
      each.preset,
    ]),
    paint,
  );
}

function formatSessions(sessions: readonly RankedSession[], paint: Screen["paint"]): string {
  return formatRows(
    ["avoidable", "bill", "requests", "peak", "session"],
    sessions.map(({ avoidable, avoidableDollars, bill, dollars, requests, peak, path }) => [
      avoidableDollars === undefined ? `${shortCount(avoidable)} tok` : formatDollars(avoidableDollars),
      dollars === undefined ? `${shortCount(bill)} tok` : formatDollars(dollars),
      String(requests),
      shortCount(peak),
      path,
    ]),
    paint,
  );
}
