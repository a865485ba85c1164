import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { SessionPrefix } from "../../../analysis/session-prefix.ts";
import type { LiveRequest } from "../../dashboard-data.ts";
import { toAddress } from "../../session-address.ts";
import { ContextChart } from "../chart/context-chart.tsx";
import { countOf, formatNumber, formatPercent, formatTime, shortCount } from "../format.ts";
import { Panel } from "../panel.tsx";
import { PrefixPanel } from "../prefix-panel.tsx";
import { Tile } from "../tile.tsx";
import { SessionWorkPanel } from "../work-panel.tsx";
import type { BoardSession } from "./board.ts";
import { CacheStrip } from "./cache-strip.tsx";
import { CutFeed, SubjectList } from "./cut-feed.tsx";
import { dollarsOf, lastOf, namesOf, type SessionListRow } from "./list-rows.ts";
import { LossList } from "./loss-list.tsx";
import { formatMoney, nameSession } from "./names.ts";

interface SessionDetailProps {
  readonly row: SessionListRow;
  readonly requests: readonly LiveRequest[];
  /** Missing before the first answer. */
  readonly prefix: SessionPrefix | undefined;
  readonly now: number;
}

/** The chosen session in detail. */
export function SessionDetail({ row, requests, prefix, now }: SessionDetailProps): JSX.Element {
  const { live, stored } = row;
  return (
    <>
      <DetailHead row={row} />
      <DetailTiles row={row} />
      {live ? (
        <>
          <LiveDetail live={live} requests={requests} now={now} />
          {prefix && <PrefixPanel prefix={prefix} />}
        </>
      ) : (
        <Panel title="Sums only">
          <p class="note">
            This session ended before this proxy started, or belongs to another program that uses the same
            store. The store keeps no text and no single requests.
          </p>
        </Panel>
      )}
      {stored && stored.work.requests > 0 && (
        <SessionWorkPanel counts={stored.work} isPruned={stored.cuts > 0} />
      )}
    </>
  );
}

function DetailHead({ row }: { readonly row: SessionListRow }): JSX.Element {
  const { live, stored } = row;
  const facts = [
    namesOf(row).model ?? "model not known",
    formatTime(stored?.startedAt ?? live?.startedAt ?? lastOf(row)),
    live && live.segments > 1 && countOf(live.segments - 1, "compaction"),
    live && live.questions > 0 && `${countOf(live.questions, "question")} of the client's own`,
    live?.parent !== undefined && `started by ${live.parent}`,
  ].filter((fact) => typeof fact === "string");
  return (
    <div class="detail-head">
      <div>
        <h2 id="detail-title">{nameSession(row)}</h2>
        <p class="facts">
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
          {live?.isHeldOut && <strong>held out: not pruned</strong>}
        </p>
        <p class="facts">
          <code>{row.id}</code>
        </p>
      </div>
      {live?.isOpen && (
        <a class="button" href={`coppice/sessions/${toAddress(row.id)}`}>
          Open the report
        </a>
      )}
    </div>
  );
}

function DetailTiles({ row }: { readonly row: SessionListRow }): JSX.Element {
  const { live, stored } = row;
  const dollars = dollarsOf(row);
  return (
    <div class="tiles">
      {live && (
        <Tile name="Context now" figure={formatNumber(live.pruned)} change={[live.raw, live.pruned]}>
          {formatNumber(live.raw)} without pruning
          {live.window > 0 && `; the window holds ${shortCount(live.window)}`}.
        </Tile>
      )}
      {!live && stored && (
        <Tile
          name="Tokens sent"
          figure={shortCount(stored.tokensWith)}
          change={[stored.tokensWithout, stored.tokensWith]}
        >
          {shortCount(stored.tokensWithout)} without pruning, over {countOf(stored.requests, "request")}.
        </Tile>
      )}
      <Tile
        name="Paid"
        figure={dollars ? formatMoney(dollars.with) : "–"}
        {...(dollars && { change: [dollars.without, dollars.with] as const })}
      >
        {dollars
          ? `From the usage in the answers, output included; ${formatMoney(dollars.without)} without Coppice`
          : "The model's price is not known, or its answers report no usage"}
        {stored !== undefined && stored.pings > 0 && `; ${countOf(stored.pings, "ping")}`}.
      </Tile>
      {live && <CacheTile live={live} />}
      {live && (
        <Tile name="Waiting to be cut" figure={shortCount(live.waits)}>
          {live.waits === 0
            ? "Nothing is stale."
            : "Tokens that Coppice cuts as soon as that costs less than keeping them."}
        </Tile>
      )}
    </div>
  );
}

function CacheTile({ live: { hits, misses } }: { readonly live: BoardSession }): JSX.Element {
  const known = hits + misses;
  return (
    <Tile name="Cache hits" figure={known === 0 ? "–" : formatPercent(hits / known)}>
      {known === 0
        ? "Nothing could have been cached yet."
        : `${countOf(hits, "hit")}, ${countOf(misses, "miss", "misses")}.`}
    </Tile>
  );
}

function LiveDetail({
  live,
  requests,
  now,
}: {
  readonly live: BoardSession;
  readonly requests: readonly LiveRequest[];
  readonly now: number;
}): JSX.Element {
  const drawn = useMemo(() => requests.filter(({ state }) => state !== "failed"), [requests]);
  const failed = requests.length - drawn.length;
  return (
    <>
      <Panel
        title="Context size"
        note={`Every request as it is sent${failed > 0 ? `; ${countOf(failed, "request")} failed` : ""}.`}
      >
        {drawn.length < 2 ? (
          <p class="empty">The chart starts with the second request.</p>
        ) : (
          <ContextChart requests={drawn} />
        )}
      </Panel>
      <div class="columns">
        <Panel title="Cuts">
          <CutFeed requests={requests} now={now} />
        </Panel>
        <div>
          <Panel title="Cache" note="How much of each request the provider found in its cache.">
            <CacheStrip requests={requests} />
          </Panel>
          {live.losses && (
            <Panel title="Why the cache was lost">
              <LossList losses={live.losses} requests={requests} />
            </Panel>
          )}
          <Panel title="Waiting to be cut">
            {live.waiting.length === 0 ? (
              <p class="empty">Nothing.</p>
            ) : (
              <SubjectList subjects={live.waiting} />
            )}
          </Panel>
        </div>
      </div>
    </>
  );
}
