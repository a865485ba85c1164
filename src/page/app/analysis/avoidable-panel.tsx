import type { JSX } from "preact";
import type { AnalysisData } from "../../analysis-data.ts";
import { countOf, formatDollars, formatPercent, shortCount } from "../format.ts";
import { Panel } from "../panel.tsx";

/** Tokens that were sent and paid for without need, and what each preset would have saved of it. */
export function AvoidablePanel({ data }: { readonly data: AnalysisData }): JSX.Element {
  const { sum, stale, coldStarts, presets } = data;
  const share = (dollars: number): string => formatPercent(sum.dollars === 0 ? 0 : dollars / sum.dollars);
  return (
    <Panel title="Stale text and cold caches">
      <dl class="pairs">
        <dt>
          Stale text{" "}
          <span class="note">
            sent again after something newer had replaced it: {shortCount(stale.tokens)} tokens
          </span>
        </dt>
        <dd>{`${formatDollars(stale.dollars)} (${share(stale.dollars)})`}</dd>
        <dt>
          Cold caches{" "}
          <span class="note">
            {countOf(coldStarts.count, "time")}, {shortCount(coldStarts.tokens)} tokens written again
          </span>
        </dt>
        <dd>{`${formatDollars(coldStarts.dollars)} (${share(coldStarts.dollars)})`}</dd>
      </dl>
      <h3>What each preset would have saved</h3>
      <table class="amounts">
        <thead>
          <tr>
            <th scope="col">preset</th>
            <th scope="col">saved</th>
            <th scope="col">of the bill</th>
          </tr>
        </thead>
        <tbody>
          {presets.map(({ preset, saved, share: part }) => (
            <tr key={preset}>
              <th scope="row">{preset}</th>
              <td>{formatDollars(saved)}</td>
              <td>{formatPercent(part)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
