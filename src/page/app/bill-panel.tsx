import type { JSX } from "preact";
import type { ReportData } from "../data.ts";
import { BillChart } from "./chart/bill-chart.tsx";
import { countOf, formatNumber, formatPercent } from "./format.ts";
import { LossTable } from "./loss-table.tsx";
import { amountOf, isEstimated } from "./money-words.ts";
import { Panel } from "./panel.tsx";

interface BillPanelProps {
  readonly data: ReportData;
  readonly goTo: (request: number) => void;
}

export function BillPanel({ data, goTo }: BillPanelProps): JSX.Element {
  const { bill, requests } = data;
  const { dollars } = bill;
  const show = amountOf(bill);
  return (
    <Panel title="Bill" note={sayBill(data)}>
      {requests.length < 2 ? (
        <p class="empty">There is nothing to draw yet.</p>
      ) : (
        <BillChart data={data} goTo={goTo} />
      )}
      <dl class="pairs">
        {dollars && (
          <>
            <dt>without pruning: input, answers</dt>
            <dd>
              {show(dollars.input.without)}, {show(dollars.output)}
            </dd>
            <dt>with Coppice: input, answers</dt>
            <dd>
              {show(dollars.input.with)}, {show(dollars.output)}
            </dd>
            {dollars.beside > 0 && (
              <>
                <dt>of it for subagents, retries and similar requests</dt>
                <dd>{show(dollars.beside)}</dd>
              </>
            )}
            <dt>left of the whole bill</dt>
            <dd>{formatPercent(bill.share)}</dd>
            <dt>the same, if the agent had fetched everything that it missed</dt>
            <dd>
              {formatPercent(bill.fetchedShare)}, at {countOf(bill.misses, "step")} of{" "}
              {formatNumber(requests.length)}
            </dd>
          </>
        )}
        <dt>left of the bill for input</dt>
        <dd>{formatPercent(dollars ? bill.inputShare : bill.without > 0 ? bill.with / bill.without : 1)}</dd>
        <dt>left of it if rewriting cost nothing</dt>
        <dd>{formatPercent(bill.without > 0 ? bill.rewriteFree / bill.without : 1)}</dd>
        <dt>modelled, in tokens of plain input</dt>
        <dd>
          {formatNumber(bill.with)}, was {formatNumber(bill.without)}
        </dd>
      </dl>
      {bill.losses.length > 0 && (
        <>
          <h3>Why the cache was lost</h3>
          <p class="note">
            From the recorded usage. Causes are inferred from times, models and compactions, because a
            recording does not contain whole requests.
          </p>
          <LossTable losses={bill.losses} paid={dollars?.without} />
        </>
      )}
    </Panel>
  );
}

function sayBill({ bill }: ReportData): string {
  const cached = "A cached prefix costs a fraction of the price; a cut breaks the cache.";
  if (!bill.dollars)
    return `What the input cost, in tokens of plain input: the price of a model is not known. ${cached}`;
  if (!isEstimated(bill))
    return `What was paid, from the recorded usage, and what would have been left of it. ${cached}`;
  return `What was paid, as far as it is known: ≈ marks what is estimated rather than recorded. ${cached}`;
}
