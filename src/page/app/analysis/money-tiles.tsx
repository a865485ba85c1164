import type { JSX } from "preact";
import type { Money } from "../../../analysis/money-sums.ts";
import type { AnalysisData } from "../../analysis-data.ts";
import { countOf, formatDollars, formatNumber, formatPercent, shortCount } from "../format.ts";
import { Tile } from "../tile.tsx";
import { SOURCE_NAMES } from "../words.ts";

/** With a mark if any of it is an estimate. */
export function showMoney({ dollars, estimated }: Pick<Money, "dollars" | "estimated">): string {
  return `${estimated > 0 ? "≈ " : ""}${formatDollars(dollars)}`;
}

export function MoneyTiles({ data }: { readonly data: AnalysisData }): JSX.Element {
  const { sum, month, prefix, assumedCaches } = data;
  const { dollars, avoidable, estimated, unpriced, requests, sent, written } = sum;
  return (
    <section class="tiles" aria-label="Summary">
      <Tile name="Paid" figure={showMoney(sum)}>
        {estimated > 0
          ? `${formatDollars(estimated)} of it is estimated, where no usage was recorded or a price is assumed.`
          : "As the sessions recorded it, answers included."}
        {unpriced > 0 && ` It leaves out ${countOf(unpriced, "request")} of models whose price is not known.`}
        {assumedCaches.length > 0 && ` Cache prices assumed: ${assumedCaches.join(", ")}.`}
      </Tile>
      <Tile name="Avoidable" figure={formatDollars(avoidable)} change={[dollars, dollars - avoidable]}>
        Pruning with your settings would have saved it.
      </Tile>
      {month && (
        <Tile name="This month" figure={showMoney(month)}>
          {`${formatDollars(month.avoidable)} of it avoidable`}
          {month.dollars > 0 && ` (${formatPercent(month.avoidable / month.dollars)})`}.
        </Tile>
      )}
      {prefix && prefix.dollars > 0 && (
        <Tile name="Before the first message" figure={formatPercent(prefix.share)}>
          {`of the bill for system prompt and tools, ${formatDollars(prefix.dollars)}`}
          {prefix.agents.length > 1 &&
            `: ${prefix.agents.map(({ agent, share }) => `${SOURCE_NAMES[agent]} ${formatPercent(share)}`).join(", ")}`}
          {prefix.unused &&
            `; ${formatPercent(prefix.unused.share)} of it for tools that ${countOf(prefix.unused.sessions, "session")} never used, by today's definitions`}
          .
        </Tile>
      )}
      <Tile name="Requests" figure={formatNumber(requests)}>
        {`${shortCount(sent)} tokens sent, ${shortCount(written)} written by models.`}
      </Tile>
    </section>
  );
}
