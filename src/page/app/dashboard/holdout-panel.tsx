import type { JSX } from "preact";
import type { ArmFigures, ArmsComparison, Estimate } from "../../../analysis/compare-arms.ts";
import { countOf, formatNumber } from "../format.ts";
import { Panel } from "../panel.tsx";
import { formatPrice } from "./names.ts";

/** The savings in actual money: conversations that were pruned, next to those that were not. */
export function HoldoutPanel({ comparison }: { readonly comparison: ArmsComparison }): JSX.Element {
  const { pruned, heldOut, saved, missing } = comparison;
  const dearest = Math.max(pruned.perRequest, heldOut.perRequest);
  return (
    <Panel
      title="Measured: pruned and held out"
      note="Conversations are chosen at random to stay unpruned. What a request cost in each group, output included."
    >
      <div class="columns">
        <table class="amounts">
          <thead>
            <tr>
              <th scope="col">conversations</th>
              <th scope="col">requests</th>
              <th scope="col">a request</th>
            </tr>
          </thead>
          <tbody>
            <ArmRow name="pruned" arm={pruned} dearest={dearest} />
            <ArmRow name="held out" arm={heldOut} dearest={dearest} />
          </tbody>
        </table>
        <div class="verdict">
          {saved ? (
            <>
              <p class="big">{describeShare(saved.share)}</p>
              <p class="note">
                {formatPrice(saved.perRequest.mean)} a request, between {formatPrice(saved.perRequest.low)}{" "}
                and {formatPrice(saved.perRequest.high)}.
              </p>
            </>
          ) : (
            <p class="note">
              {missing > 0
                ? `Too early to tell: ${countOf(missing, "more conversation")} needed in the smaller group.`
                : "These conversations are too few or too similar to tell."}
            </p>
          )}
        </div>
      </div>
    </Panel>
  );
}

interface ArmRowProps {
  readonly name: string;
  readonly arm: ArmFigures;
  readonly dearest: number;
}

function ArmRow({ name, arm, dearest }: ArmRowProps): JSX.Element {
  const width = dearest === 0 ? 0 : (100 * arm.perRequest) / dearest;
  return (
    <tr>
      <th scope="row">
        {name} <span class="note">{countOf(arm.conversations, "conversation")}</span>
        <span class="bar" aria-hidden="true">
          <span class={name === "pruned" ? "bar-left" : "bar-held"} style={{ width: `${width}%` }} />
        </span>
      </th>
      <td>{formatNumber(arm.requests)}</td>
      <td>{formatPrice(arm.perRequest)}</td>
    </tr>
  );
}

/** `24% less (17% to 31%)`; a negative value means more. */
function describeShare({ mean, low, high }: Estimate): string {
  const percent = (share: number): string => `${Math.round(Math.abs(share) * 100)}%`;
  const sign = (share: number): string =>
    Math.round(share * 100) < 0 ? `−${percent(share)}` : percent(share);
  return `${percent(mean)} ${mean < 0 ? "more" : "less"} (${mean < 0 ? `${sign(-high)} to ${sign(-low)}` : `${sign(low)} to ${sign(high)}`})`;
}
