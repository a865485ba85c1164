import type { JSX } from "preact";
import { useMemo, useRef, useState } from "preact/hooks";
import type { SessionRowData } from "../../index-data.ts";
import { nameFolder } from "../../name-folder.ts";
import { countOf, formatCents, formatDay, formatNumber } from "../format.ts";
import { useIsPrinting } from "../use-is-printing.ts";
import { useShortcuts } from "../use-shortcuts.ts";
import { SOURCE_NAMES } from "../words.ts";
import { findSessions, type Sorting, type SortKey, sortSessions } from "./sort-sessions.ts";

interface Column {
  readonly by: SortKey;
  readonly name: string;
  /** Figures and dates are sorted with the largest first. */
  readonly isDown: boolean;
  readonly title: string;
}

const COLUMNS: readonly Column[] = [
  { by: "session", name: "session", isDown: false, title: "The project and the first prompt" },
  { by: "date", name: "date", isDown: true, title: "When it began, in UTC" },
  { by: "agent", name: "agent", isDown: false, title: "The program that recorded it" },
  { by: "model", name: "model", isDown: false, title: "The first model, if there were several" },
  { by: "requests", name: "requests", isDown: true, title: "Requests to the model" },
  { by: "bill", name: "bill", isDown: true, title: "What it cost; ≈ marks an estimate" },
  { by: "saved", name: "saved", isDown: true, title: "The share of the bill that pruning would have saved" },
];

/** The reader can show more. */
const ROWS_SHOWN = 500;

/** Many sessions as a table that can be sorted and searched. */
export function SessionTable({ rows }: { readonly rows: readonly SessionRowData[] }): JSX.Element {
  const [sorting, setSorting] = useState<Sorting>({ by: "saved", isDown: true });
  const [query, setQuery] = useState("");
  const [isAll, setAll] = useState(false);
  const isPrinting = useIsPrinting();
  const search = useRef<HTMLInputElement>(null);
  useShortcuts({ "/": () => search.current?.focus() });
  const found = useMemo(() => sortSessions(findSessions(rows, query), sorting), [rows, query, sorting]);
  const shown = isAll || isPrinting ? found : found.slice(0, ROWS_SHOWN);
  return (
    <>
      <search class="search-line">
        <input
          ref={search}
          type="search"
          value={query}
          placeholder="Project, prompt, agent, model or file"
          aria-label="Search sessions"
          aria-keyshortcuts="/"
          onInput={({ currentTarget }) => setQuery(currentTarget.value)}
        />
        <p class="found" role="status">
          {found.length === rows.length
            ? countOf(rows.length, "session")
            : `${formatNumber(found.length)} of ${countOf(rows.length, "session")}`}
        </p>
      </search>
      <table class="sessions">
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <ColumnHead key={column.by} column={column} sorting={sorting} setSorting={setSorting} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <SessionRow key={row.path} row={row} />
          ))}
        </tbody>
      </table>
      {found.length === 0 && <p class="empty">No session matches.</p>}
      {shown.length < found.length && (
        <button type="button" class="button more-rows" onClick={() => setAll(true)}>
          Show all {formatNumber(found.length)}
        </button>
      )}
    </>
  );
}

interface ColumnHeadProps {
  readonly column: Column;
  readonly sorting: Sorting;
  readonly setSorting: (sorting: Sorting) => void;
}

function ColumnHead({ column, sorting, setSorting }: ColumnHeadProps): JSX.Element {
  const { by, name, isDown, title } = column;
  const isChosen = sorting.by === by;
  const order = isChosen ? (sorting.isDown ? "descending" : "ascending") : "none";
  return (
    <th scope="col" class={`col-${by}`} aria-sort={order}>
      <button
        type="button"
        class="sort"
        title={title}
        onClick={() => setSorting({ by, isDown: isChosen ? !sorting.isDown : isDown })}
      >
        {name}
        <span class="arrow" aria-hidden="true">
          {isChosen ? (sorting.isDown ? "↓" : "↑") : ""}
        </span>
      </button>
    </th>
  );
}

function SessionRow({ row }: { readonly row: SessionRowData }): JSX.Element {
  const { project, prompt, path, page, source, models, requests, start, dollars, saved, share } = row;
  const day = start === undefined ? "–" : formatDay(start);
  const name = (
    <>
      {project !== undefined && <strong>{nameFolder(project)}</strong>} {prompt ?? nameFolder(path)}
    </>
  );
  return (
    <tr>
      <th scope="row" class="col-session">
        {page === undefined ? <span>{name}</span> : <a href={addressOf(page)}>{name}</a>}
        <span class="under path">{path}</span>
        <span class="under brief">
          {[day, SOURCE_NAMES[source], models[0], countOf(requests, "request")].filter(Boolean).join(" · ")}
        </span>
      </th>
      <td class="col-date">{day}</td>
      <td class="col-agent">{SOURCE_NAMES[source]}</td>
      <td class="col-model">
        {models[0] ?? "–"}
        {models.length > 1 && <span class="note"> +{models.length - 1}</span>}
      </td>
      <td class="col-requests">{formatNumber(requests)}</td>
      <td class="col-bill">{dollars === undefined ? "–" : formatCents(dollars, row.estimated)}</td>
      <td class="col-saved">
        {saved === undefined ? (
          "–"
        ) : (
          <>
            <span class={saved >= 0.005 ? "saved-dollars" : ""}>{formatCents(saved, row.estimated)}</span>{" "}
            <span class="note">{Math.round(100 * share)}%</span>
          </>
        )}
      </td>
    </tr>
  );
}

function addressOf(page: string): string {
  return page.split("/").map(encodeURIComponent).join("/");
}
