import type { JSX } from "preact";
import { countOf, shortCount } from "../format.ts";
import { dollarsOf, lastOf, namesOf, requestsOf, type SessionListRow } from "./list-rows.ts";
import { formatMoney, nameSession, sayContext, sayWhen } from "./names.ts";
import { Sparkline } from "./sparkline.tsx";

interface SessionRowProps {
  readonly row: SessionListRow;
  readonly now: number;
  readonly isChosen: boolean;
  readonly choose: (id: string) => void;
}

/** A session in the list; choosing it shows its details. */
export function SessionRow({ row, now, isChosen, choose }: SessionRowProps): JSX.Element {
  const { live, stored } = row;
  const { model } = namesOf(row);
  const dollars = dollarsOf(row);
  const cuts = Math.max(live?.cuts ?? 0, stored?.cuts ?? 0);
  const isBusy = (live?.underWay ?? 0) > 0;
  return (
    <button
      type="button"
      class={`session${row.isNow ? " is-now" : ""}${row.isUnder ? " is-under" : ""}`}
      data-session={row.id}
      aria-current={isChosen ? "true" : undefined}
      onClick={() => choose(row.id)}
    >
      <span class="session-name">
        <span class={isBusy ? "dot busy" : "dot"} aria-hidden="true" />
        {row.isUnder && <span class="hidden">subagent: </span>}
        {nameSession(row)}
      </span>
      <span class="session-money">
        {dollars ? (
          <>
            {formatMoney(dollars.without - dollars.with)} <span class="note">saved</span>
          </>
        ) : (
          <span class="note">no price</span>
        )}
      </span>
      <span class="session-facts note">
        {[
          model,
          countOf(requestsOf(row), "request"),
          cuts > 0 && countOf(cuts, "cut"),
          isBusy ? "under way" : sayWhen(lastOf(row), now),
        ]
          .filter((fact) => typeof fact === "string")
          .join(" · ")}
      </span>
      <span class="session-context">
        {live ? (
          <>
            <strong>{shortCount(live.pruned)}</strong> <span class="note">{sayContext(live)}</span>
          </>
        ) : (
          <span class="note">
            {shortCount((stored?.tokensWithout ?? 0) - (stored?.tokensWith ?? 0))} tokens not sent
          </span>
        )}
      </span>
      {live && <Sparkline trend={live.trend} />}
    </button>
  );
}
