import type { JSX } from "preact";
import { LOSS_WORDS, type LossSum } from "../../../prefix/cache-loss.ts";
import type { LiveRequest } from "../../dashboard-data.ts";
import { countOf, formatNumber, shortCount } from "../format.ts";
import { formatMoney } from "./names.ts";

interface LossListProps {
  readonly losses: readonly LossSum[];
  readonly requests: readonly LiveRequest[];
}

/** Causes with their extra cost, and the difference at the last loss. */
export function LossList({ losses, requests }: LossListProps): JSX.Element {
  return (
    <ul class="subjects">
      {losses.map(({ cause, count, tokens, dollars }) => {
        const last = requests.findLast(({ loss }) => loss?.cause === cause);
        return (
          <li key={cause}>
            <span>
              {LOSS_WORDS[cause]}{" "}
              <span class="note">
                {countOf(count, "time")}, {shortCount(tokens)} tokens
                {last?.loss && `; at request ${formatNumber(last.number)}: ${last.loss.what}`}
              </span>
            </span>{" "}
            <span class="cut-saved">{formatMoney(dollars)}</span>
          </li>
        );
      })}
    </ul>
  );
}
