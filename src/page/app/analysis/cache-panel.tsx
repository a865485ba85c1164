import type { JSX } from "preact";
import type { AnalysisData } from "../../analysis-data.ts";
import { countOf, formatDollars, formatNumber, formatPercent, shortCount } from "../format.ts";
import { Panel } from "../panel.tsx";

/** Why the provider's cache was lost, and what caches of either life would have cost. */
export function CachePanel({ data }: { readonly data: AnalysisData }): JSX.Element {
  const { losses, lives } = data.caches;
  const { dollars } = data.sum;
  return (
    <Panel
      title="Why the cache was lost"
      note="Inferred from times, models and compactions: a recording does not have whole requests."
    >
      {losses.length === 0 ? (
        <p class="empty">It was never lost.</p>
      ) : (
        <table class="amounts">
          <thead>
            <tr>
              <th scope="col">cause</th>
              <th scope="col">times</th>
              <th scope="col">tokens</th>
              <th scope="col">cost more</th>
              <th scope="col">of the bill</th>
            </tr>
          </thead>
          <tbody>
            {losses.map((loss) => (
              <tr key={loss.cause}>
                <th scope="row">{loss.cause}</th>
                <td>{formatNumber(loss.count)}</td>
                <td>{shortCount(loss.tokens)}</td>
                <td>{formatDollars(loss.dollars)}</td>
                <td>{formatPercent(dollars === 0 ? 0 : loss.dollars / dollars)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {lives.requests > 0 && (
        <p class="note">
          The input of {countOf(lives.requests, "request")} would have cost {formatDollars(lives.short)} with
          a cache of 5 minutes, and {formatDollars(lives.long)} with one of an hour.{" "}
          {countOf(lives.asked, "request")} asked for the hour.
        </p>
      )}
    </Panel>
  );
}
