import type { JSX } from "preact";
import { adviseKey, adviseLife } from "../../../analysis/advise-caches.ts";
import type { AnalysisData } from "../../analysis-data.ts";
import { countOf, formatDollars } from "../format.ts";
import { LossTable } from "../loss-table.tsx";
import { Panel } from "../panel.tsx";

/** Why the provider's cache was lost, and the cost of caches with either lifetime. */
export function CachePanel({ data }: { readonly data: AnalysisData }): JSX.Element {
  const { losses, lives, keyed } = data.caches;
  return (
    <Panel
      title="Why the cache was lost"
      note="Inferred from times, models and compactions, because a recording does not contain whole requests."
    >
      {losses.length === 0 ? (
        <p class="empty">The cache was never lost.</p>
      ) : (
        <LossTable losses={losses} paid={data.sum.dollars} />
      )}
      {lives.requests > 0 && (
        <p class="note">
          The input of {countOf(lives.requests, "request")} would have cost {formatDollars(lives.short)} with
          a cache of 5 minutes, and {formatDollars(lives.long)} with one of an hour.{" "}
          {countOf(lives.wantLong, "request")} asked for the hour. {adviseLife(lives)}
        </p>
      )}
      {keyed > 0 && <p class="note">{adviseKey(keyed)}</p>}
    </Panel>
  );
}
