import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { countOf } from "../format.ts";
import { useShortcuts } from "../use-shortcuts.ts";
import { useVirtualRows } from "../use-virtual-rows.ts";
import { filterRows, type RowFilter, type SessionListRow } from "./list-rows.ts";
import { SessionRow } from "./session-row.tsx";

interface SessionListProps {
  readonly rows: readonly SessionListRow[];
  readonly now: number;
  readonly filter: RowFilter;
  readonly setFilter: (filter: RowFilter) => void;
  readonly chosen: string | undefined;
  readonly choose: (id: string) => void;
}

const SHOWN = [
  ["all", "All"],
  ["now", "Now"],
  ["before", "Before"],
] as const;
const ROW_HEIGHT = 96;

/** All sessions; only the rows near the window exist. */
export function SessionList({ rows, now, filter, setFilter, chosen, choose }: SessionListProps): JSX.Element {
  const list = useRef<HTMLUListElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const focus = useRef<string | undefined>(undefined);
  const shown = filterRows(rows, filter);
  const { items, total, margin, measure, scrollTo } = useVirtualRows(list, {
    count: shown.length,
    estimate: () => ROW_HEIGHT,
    keyOf: (row) => shown[row]?.id ?? row,
    covered: 120,
  });
  // Keys may be pressed faster than the page is rendered.
  const current = useRef(chosen);
  current.current = chosen;
  const step = (by: number): void => {
    const at = shown.findIndex(({ id }) => id === current.current);
    const to = Math.min(shown.length - 1, Math.max(0, at + by));
    const row = shown[to];
    if (!row) return;
    choose(row.id);
    current.current = row.id;
    focus.current = row.id;
    scrollTo(to);
  };
  useShortcuts({
    "/": () => search.current?.focus(),
    j: () => step(1),
    k: () => step(-1),
    Escape: () => setFilter({ show: "all", query: "" }),
  });
  // The row to focus may be rendered only some time later.
  useEffect(() => {
    if (focus.current === undefined) return;
    const row = list.current?.querySelector<HTMLElement>(`[data-session="${CSS.escape(focus.current)}"]`);
    if (!row) return;
    focus.current = undefined;
    row.focus({ preventScroll: true });
  });
  return (
    <section class="sessions" aria-labelledby="sessions-title">
      <div class="sessions-head">
        <h2 id="sessions-title">Sessions</h2>
        <p class="found" role="status">
          {shown.length === rows.length
            ? countOf(rows.length, "session")
            : `${shown.length} of ${countOf(rows.length, "session")}`}
        </p>
      </div>
      <div class="search-line">
        <input
          ref={search}
          type="search"
          aria-label="Search sessions"
          placeholder="Client, model, folder or id"
          value={filter.query}
          onInput={({ currentTarget }) => setFilter({ ...filter, query: currentTarget.value })}
          onKeyDown={({ key, currentTarget }) => {
            if (key !== "Escape") return;
            setFilter({ show: "all", query: "" });
            currentTarget.blur();
          }}
        />
        <fieldset class="switch">
          <legend class="hidden">Show</legend>
          {SHOWN.map(([show, name]) => (
            <button
              key={show}
              type="button"
              class="chip"
              aria-pressed={filter.show === show}
              onClick={() => setFilter({ ...filter, show })}
            >
              {name}
            </button>
          ))}
        </fieldset>
      </div>
      {shown.length === 0 && (
        <p class="empty">
          {rows.length === 0
            ? "No sessions yet: connect a client to this proxy and its session appears here."
            : "No session matches. Escape shows all again."}
        </p>
      )}
      <ul class="rows" ref={list} style={{ height: `${total}px` }}>
        {items.map(({ index, start }) => {
          const row = shown[index];
          if (!row) return null;
          return (
            <li
              key={row.id}
              class="row-place"
              data-index={index}
              ref={measure}
              aria-setsize={shown.length}
              aria-posinset={index + 1}
              style={{ transform: `translateY(${start - margin}px)` }}
            >
              <SessionRow row={row} now={now} isChosen={row.id === chosen} choose={choose} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
