import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ReportData } from "../data.ts";
import { PartRow } from "./part-row.tsx";
import { makeMatcher } from "./search.ts";
import { type Filter, isFiltering, NO_FILTER, selectParts } from "./select-parts.ts";
import { TranscriptToolbar } from "./transcript-toolbar.tsx";
import { useShortcuts } from "./use-shortcuts.ts";
import { useVirtualRows } from "./use-virtual-rows.ts";

/** The next jump target; without a part: the top of the list. A new count makes it a new jump. */
export interface Jump {
  readonly count: number;
  readonly part?: number;
}

interface TranscriptProps {
  readonly data: ReportData;
  readonly filter: Filter;
  readonly setFilter: (filter: Filter) => void;
  readonly jump: Jump;
  readonly goTo: (part: number | undefined) => void;
}

/** The whole session, with its cuts folded in place. */
export function Transcript({ data, filter, setFilter, jump, goTo }: TranscriptProps): JSX.Element {
  const { parts } = data;
  const list = useRef<HTMLDivElement>(null);
  const search = useRef<HTMLInputElement>(null);
  const toolbar = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState(0);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => selectParts(data, filter), [data, filter]);
  const matcher = useMemo(() => makeMatcher(filter.query), [filter.query]);
  const focus = useRef<number | undefined>(undefined);
  const { items, total, margin, measure, scrollTo, scrollToEnd } = useVirtualRows(list, {
    count: rows.length,
    estimate: (row) => estimateHeight(parts[rows[row] ?? -1]?.tokens ?? 0),
    keyOf: (row) => rows[row] ?? -1,
    covered: (toolbar.current?.offsetHeight ?? 0) + 8,
  });

  const moveTo = (row: number): void => {
    const part = rows[row];
    if (part === undefined) return;
    setActive(part);
    focus.current = part;
    scrollTo(row);
  };
  const step = (by: 1 | -1, isWanted: (part: number) => boolean): void => {
    const at = rows.findIndex((part) => part >= active);
    const start = rows[at] === active || by === -1 ? at + by : at;
    let row = start;
    while (row >= 0 && row < rows.length && !isWanted(rows[row] ?? -1)) row += by;
    moveTo(row);
  };
  const toggle = (key: string): void =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  const isCut = (part: number): boolean => (parts[part]?.edits.length ?? 0) > 0;

  useShortcuts({
    "/": () => search.current?.focus(),
    j: () => step(1, () => true),
    k: () => step(-1, () => true),
    n: () => step(1, isCut),
    p: () => step(-1, isCut),
    End: scrollToEnd,
    Escape: () => setFilter(NO_FILTER),
  });

  // The row to jump to exists only after its filter has been applied.
  useEffect(() => {
    if (jump.count === 0) return;
    if (jump.part === undefined) {
      document.getElementById("transcript")?.scrollIntoView();
      return;
    }
    moveTo(rows.indexOf(jump.part));
  }, [jump]);
  // The row to focus may be rendered only some time later.
  useEffect(() => {
    if (focus.current === undefined) return;
    const row = list.current?.querySelector<HTMLElement>(`[data-part="${focus.current}"]`);
    if (!row) return;
    focus.current = undefined;
    row.focus({ preventScroll: true });
  });

  return (
    <section class="transcript" id="transcript" aria-labelledby="transcript-title">
      <h2 id="transcript-title">Transcript</h2>
      <div class="toolbar-place" ref={toolbar}>
        <TranscriptToolbar
          data={data}
          filter={filter}
          setFilter={setFilter}
          found={rows.length}
          search={search}
        />
      </div>
      {rows.length === 0 && (
        <p class="empty">
          {parts.length === 0 ? "The session is empty." : "No part matches. Escape shows everything again."}
        </p>
      )}
      <div class="rows" {...(rows.length > 0 && FEED)} ref={list} style={{ height: `${total}px` }}>
        {items.map(({ index: row, start }) => {
          const index = rows[row] ?? -1;
          return (
            <div
              class="row-place"
              key={index}
              data-index={row}
              ref={measure}
              style={{ transform: `translateY(${start - margin}px)` }}
            >
              <PartRow
                data={data}
                index={index}
                row={row}
                rows={rows.length}
                isActive={index === active}
                isFiltered={isFiltering(filter)}
                open={open}
                matcher={matcher}
                toggle={toggle}
                activate={setActive}
                goTo={goTo}
              />
            </div>
          );
        })}
      </div>
    </section>
  );
}

/** ARIA: a feed must contain articles, so an empty list is not a feed. */
const FEED = { role: "feed", "aria-label": "Parts" } as const;

/** A heading and at most ten lines of text, in pixels. */
function estimateHeight(tokens: number): number {
  return 64 + 20 * Math.min(10, Math.ceil(tokens / 20));
}
