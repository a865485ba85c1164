import type { JSX, RefObject } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ReportData } from "../data.ts";
import { countOf, formatNumber } from "./format.ts";
import { countMechanisms, type Filter } from "./select-parts.ts";
import { MECHANISM_WORDS } from "./words.ts";

interface ToolbarProps {
  readonly data: ReportData;
  readonly filter: Filter;
  readonly setFilter: (filter: Filter) => void;
  /** The number of parts that match the filter. */
  readonly found: number;
  readonly search: RefObject<HTMLInputElement | null>;
}

/** How long to wait for the next key before searching, in milliseconds. */
const PAUSE = 120;

export function TranscriptToolbar({ data, filter, setFilter, found, search }: ToolbarProps): JSX.Element {
  const [query, setQuery] = useState(filter.query);
  useEffect(() => setQuery(filter.query), [filter.query]);
  useEffect(() => {
    if (query === filter.query) return;
    const timer = setTimeout(() => setFilter({ ...filter, query }), PAUSE);
    return () => clearTimeout(timer);
  }, [query]);
  const mechanisms = countMechanisms(data.edits);
  const edits = mechanisms.reduce((sum, each) => sum + each.edits, 0);
  const choices = [
    { show: "everything", count: undefined, title: "The whole transcript" },
    ...(edits > 0 ? [{ show: "edits", count: edits, title: "Only parts with edits" } as const] : []),
    ...mechanisms.map((each) => ({
      show: each.mechanism,
      count: each.edits,
      title: MECHANISM_WORDS[each.mechanism],
    })),
  ] as const;
  return (
    <search class="toolbar">
      <div class="search-line">
        <input
          ref={search}
          type="search"
          value={query}
          placeholder="Search the transcript"
          aria-label="Search the transcript"
          aria-keyshortcuts="/"
          onInput={({ currentTarget }) => setQuery(currentTarget.value)}
          onKeyDown={({ key, currentTarget }) => {
            if (key !== "Escape") return;
            setFilter({ ...filter, query: "" });
            setQuery("");
            currentTarget.blur();
          }}
        />
        <p class="found" role="status">
          {found === data.parts.length
            ? countOf(found, "part")
            : `${formatNumber(found)} of ${countOf(data.parts.length, "part")}`}
        </p>
        <p class="keys" aria-hidden="true">
          <kbd>/</kbd> search <kbd>j</kbd> <kbd>k</kbd> move <kbd>n</kbd> <kbd>p</kbd> edits <kbd>Enter</kbd>{" "}
          open <kbd>t</kbd> theme
        </p>
      </div>
      <fieldset class="chips">
        <legend class="hidden">Show</legend>
        {choices.map(({ show, count, title }) => (
          <button
            key={show}
            type="button"
            class="chip"
            title={title}
            aria-pressed={filter.show === show}
            onClick={() => setFilter({ ...filter, show })}
          >
            {show} {count !== undefined && <span class="count">{formatNumber(count)}</span>}
          </button>
        ))}
      </fieldset>
    </search>
  );
}
