import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { formatTime } from "../format.ts";
import { useShortcuts } from "../use-shortcuts.ts";
import { useTheme } from "../use-theme.ts";
import { WorkPanel } from "../work-panel.tsx";
import { HoldoutPanel } from "./holdout-panel.tsx";
import { listRows, type RowFilter } from "./list-rows.ts";
import { MoneyTiles } from "./money-tiles.tsx";
import { SessionDetail } from "./session-detail.tsx";
import { SessionList } from "./session-list.tsx";
import { type Feed, useBoard } from "./use-board.ts";
import { usePrefix } from "./use-prefix.ts";
import { useRequests } from "./use-requests.ts";

/** Below this width, in pixels, the chosen session is above the list. */
const NARROW = "(max-width: 980px)";

export function Dashboard(): JSX.Element {
  const feed = useBoard();
  const { board } = feed;
  const now = useNow();
  const [filter, setFilter] = useState<RowFilter>({ show: "all", query: "" });
  const [wanted, setWanted] = useState<string>();
  const detail = useRef<HTMLElement>(null);
  const rows = board ? listRows(board, now) : [];
  const first = useRef<string | undefined>(undefined);
  // Until the reader chooses, it is the session that was the newest when the page was opened.
  if (!rows.some(({ id }) => id === first.current)) first.current = rows[0]?.id;
  const row = rows.find(({ id }) => id === wanted) ?? rows.find(({ id }) => id === first.current);
  const requests = useRequests(feed, row?.id, row?.live !== undefined);
  const prefix = usePrefix(row?.live, feed.snapshots);
  const choose = (id: string): void => {
    setWanted(id);
    if (matchMedia(NARROW).matches) detail.current?.scrollIntoView();
    else detail.current?.scrollTo(0, 0);
  };
  return (
    <>
      <Header feed={feed} />
      <main>
        {board ? (
          <>
            <MoneyTiles board={board} rows={rows} now={now} />
            {board.comparison && <HoldoutPanel comparison={board.comparison} />}
            {board.work && <WorkPanel work={board.work} />}
            <div class="board">
              {row && (
                // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
                <section class="detail" ref={detail} tabIndex={0} aria-labelledby="detail-title">
                  <SessionDetail row={row} requests={requests} prefix={prefix} now={now + board.ahead} />
                </section>
              )}
              <SessionList
                rows={rows}
                now={now + board.ahead}
                filter={filter}
                setFilter={setFilter}
                chosen={row?.id}
                choose={choose}
              />
            </div>
          </>
        ) : (
          <p class="loading">Waiting for the proxy…</p>
        )}
      </main>
    </>
  );
}

function Header({ feed: { board, link } }: { readonly feed: Feed }): JSX.Element {
  const [theme, nextTheme] = useTheme();
  useShortcuts({ t: nextTheme });
  return (
    <header class="page-header">
      <div class="page-title">
        <p class="brand">Coppice</p>
        <h1>Sessions now and before</h1>
      </div>
      <button type="button" class="button" onClick={nextTheme} title="Change the theme (t)">
        Theme: {theme}
      </button>
      <p class="facts">
        <span class={`link-state ${link}`} role="status">
          {link === "live" ? "live" : "not connected; trying again"}
        </span>
        {board && <span>version {board.version}</span>}
        {board && <span>up since {formatTime(board.startedAt)}</span>}
        <span class="keys">
          <kbd>j</kbd> <kbd>k</kbd> next and previous <kbd>/</kbd> search <kbd>t</kbd> theme
        </span>
      </p>
    </header>
  );
}

/** Often enough for words like "4 min ago". */
const TICK = 10_000;

function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK);
    return () => clearInterval(timer);
  }, []);
  return now;
}
