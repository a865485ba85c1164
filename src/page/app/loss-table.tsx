import type { JSX } from "preact";
import type { InferredSum } from "../../analysis/cache-figures.ts";
import { countOf, formatDollars, formatPercent, shortCount } from "./format.ts";

interface LossTableProps {
  readonly losses: readonly InferredSum[];
  /** The bill in US dollars; missing or 0 if no price is known. */
  readonly paid: number | undefined;
}

/** Why the provider's cache was lost in recorded sessions: inferred causes, and their extra cost. */
export function LossTable({ losses, paid = 0 }: LossTableProps): JSX.Element {
  return (
    <table class="amounts">
      <thead>
        <tr>
          <th scope="col">cause (inferred)</th>
          {paid > 0 && <th scope="col">cost more</th>}
          {paid > 0 && <th scope="col">of the bill</th>}
        </tr>
      </thead>
      <tbody>
        {losses.map((loss) => (
          <tr key={loss.cause}>
            <th scope="row">
              {loss.cause}{" "}
              <span class="note">
                {countOf(loss.count, "time")}, {shortCount(loss.tokens)} tokens
              </span>
            </th>
            {paid > 0 && <td>{formatDollars(loss.dollars, paid)}</td>}
            {paid > 0 && <td>{formatPercent(loss.dollars / paid)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
