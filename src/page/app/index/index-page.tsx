import type { JSX } from "preact";
import type { IndexData } from "../../index-data.ts";
import { countOf, formatDay, formatDollars, formatNumber } from "../format.ts";
import { Tile } from "../tile.tsx";
import { useShortcuts } from "../use-shortcuts.ts";
import { useTheme } from "../use-theme.ts";
import { FileList } from "./file-list.tsx";
import { SessionTable } from "./session-table.tsx";

/** The sessions of a folder, with links to their reports. */
export function IndexPage({ data }: { readonly data: IndexData }): JSX.Element {
  const { rows, files, folder, redacted } = data;
  const [theme, nextTheme] = useTheme();
  useShortcuts({ t: nextTheme });
  const days = rows.flatMap(({ start }) => start ?? []);
  const pages = rows.filter(({ page }) => page !== undefined).length;
  return (
    <>
      <header class="page-header">
        <p class="brand">Coppice reports</p>
        <button type="button" class="button" onClick={nextTheme} title="Change the theme (t)">
          Theme: {theme}
        </button>
        <h1>{countOf(rows.length, "session")}</h1>
        {days.length > 0 && (
          <p class="facts when">
            <span>{sayDays(days)}</span>
          </p>
        )}
        <p class="facts">
          <code>{folder}</code>
          {redacted && <strong>redacted</strong>}
        </p>
      </header>
      <main>
        <Totals data={data} />
        <section class="panel long" aria-labelledby="sessions">
          <h2 id="sessions">Sessions</h2>
          <p class="note">
            {pages === rows.length
              ? "Choose one to see its report."
              : `${countOf(pages, "session")} ${pages === 1 ? "has" : "have"} a report to open: those for which pruning would have saved the most. --top ${formatNumber(rows.length)} writes one for each.`}
          </p>
          <SessionTable rows={rows} />
        </section>
        <FileList files={files} />
      </main>
    </>
  );
}

function Totals({ data: { rows } }: { readonly data: IndexData }): JSX.Element {
  const priced = rows.filter(({ dollars }) => dollars !== undefined);
  const bill = priced.reduce((sum, { dollars = 0 }) => sum + dollars, 0);
  const saved = priced.reduce((sum, row) => sum + (row.saved ?? 0), 0);
  const requests = rows.reduce((sum, row) => sum + row.requests, 0);
  const unpriced = rows.length - priced.length;
  const mark = priced.some(({ estimated }) => estimated) ? "≈ " : "";
  return (
    <section class="tiles" aria-label="Summary">
      <Tile name="Bill" figure={`${mark}${formatDollars(bill)}`}>
        {unpriced === 0
          ? "All sessions together."
          : `It leaves out ${countOf(unpriced, "session")} of models whose price is not known.`}
      </Tile>
      <Tile
        name="Pruning would have saved"
        figure={`${mark}${formatDollars(saved)}`}
        change={[bill, bill - saved]}
      >
        Of that bill, with these settings.
      </Tile>
      <Tile name="Requests" figure={formatNumber(requests)}>
        In {countOf(rows.length, "session")}.
      </Tile>
    </section>
  );
}

function sayDays(times: readonly number[]): string {
  const range = times.reduce(
    ([first, last], time) => [Math.min(first, time), Math.max(last, time)] as const,
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as const,
  );
  const [first, last] = [formatDay(range[0]), formatDay(range[1])];
  return first === last ? first : `${first} to ${last}`;
}
