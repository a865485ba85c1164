import type { JSX } from "preact";
import type { AnalysisData } from "../../analysis-data.ts";
import { countOf, formatDay } from "../format.ts";
import { SessionTable } from "../index/session-table.tsx";
import { Panel } from "../panel.tsx";
import { useShortcuts } from "../use-shortcuts.ts";
import { useTheme } from "../use-theme.ts";
import { SOURCE_NAMES } from "../words.ts";
import { WorkPanel } from "../work-panel.tsx";
import { AvoidablePanel } from "./avoidable-panel.tsx";
import { CachePanel } from "./cache-panel.tsx";
import { fillGaps } from "./fill-gaps.ts";
import { MoneyChart } from "./money-chart.tsx";
import { MoneyTable } from "./money-table.tsx";
import { MoneyTiles } from "./money-tiles.tsx";
import { RereadTable } from "./reread-table.tsx";

/** The cost of many sessions, where it went, and how much was avoidable. */
export function AnalysisPage({ data }: { readonly data: AnalysisData }): JSX.Element {
  const { rows, bars, rereads } = data;
  const pages = rows.filter(({ page }) => page !== undefined).length;
  return (
    <>
      <Header data={data} />
      <main>
        <MoneyTiles data={data} />
        {bars.groups.length > 0 && (
          <Panel title={`What each ${bars.unit} cost`} note={sayTime(data)}>
            <MoneyChart bars={bars} />
          </Panel>
        )}
        <div class="columns">
          <MoneyTable data={data} />
          <div>
            <AvoidablePanel data={data} />
            <WorkPanel work={data.work} />
            <CachePanel data={data} />
            {rereads.length > 0 && <RereadTable rereads={rereads} />}
          </div>
        </div>
        <section class="panel long" aria-labelledby="sessions">
          <h2 id="sessions">Sessions</h2>
          <p class="note">
            {pages === 0
              ? "coppice report <file> makes the report of a session."
              : `${countOf(pages, "session")} ${pages === 1 ? "has" : "have"} a report to open: those with the largest avoidable cost. coppice report <file> makes one of any other.`}
          </p>
          <SessionTable rows={rows} />
        </section>
      </main>
    </>
  );
}

function Header({ data }: { readonly data: AnalysisData }): JSX.Element {
  const [theme, nextTheme] = useTheme();
  useShortcuts({ t: nextTheme });
  const starts = data.rows.flatMap(({ start }) => start ?? []).sort((a, b) => a - b);
  const [first, last] = [starts[0], starts.at(-1)];
  return (
    <header class="page-header">
      <p class="brand">Coppice analysis</p>
      <button type="button" class="button" onClick={nextTheme} title="Change the theme (t)">
        Theme: {theme}
      </button>
      <h1>What {countOf(data.rows.length, "session")} cost</h1>
      {first !== undefined && last !== undefined && (
        <p class="facts when">
          <span>
            begun {formatDay(first)}
            {formatDay(first) !== formatDay(last) && ` to ${formatDay(last)}`}
          </span>
        </p>
      )}
      <p class="facts">
        {Object.entries(data.sources).map(([source, count]) => (
          <span key={source}>
            {SOURCE_NAMES[source as keyof typeof SOURCE_NAMES]} {count}
          </span>
        ))}
        {data.redacted && <strong>redacted</strong>}
      </p>
    </header>
  );
}

function sayTime({ zone, bars }: AnalysisData): string {
  const names = bars.groups.flatMap(({ name }) => name ?? []);
  const isWhole = names.length === 1 || fillGaps(names, bars.unit) !== names;
  return `In the time zone ${zone}.${isWhole ? "" : ` Only ${bars.unit}s with requests are shown.`}`;
}
