import type { JSX } from "preact";
import type { ReportData } from "../data.ts";
import { BillChart } from "./bill-chart.tsx";
import { countOf, formatNumber, formatPercent } from "./format.ts";
import { Panel } from "./panel.tsx";

export function BillPanel({ data }: { readonly data: ReportData }): JSX.Element {
  const { bill, requests } = data;
  const shareOf = (part: number) => formatPercent(bill.without > 0 ? part / bill.without : 1);
  return (
    <Panel
      title="Bill"
      note={`What the input cost, added up over the requests${bill.dollars ? "" : ", in tokens of plain input"}. A cached prefix is billed at a fraction; a cut breaks it.`}
    >
      {requests.length < 2 ? <p class="empty">There is nothing to draw yet.</p> : <BillChart data={data} />}
      <dl class="pairs">
        <dt>share of the unpruned bill</dt>
        <dd>{shareOf(bill.with)}</dd>
        <dt>if rewriting were free</dt>
        <dd>{shareOf(bill.rewriteFree)}</dd>
        <dt>if all that was missed had been fetched</dt>
        <dd>
          {shareOf(bill.fetched)}, at {countOf(bill.misses, "step")} of {formatNumber(requests.length)}
        </dd>
        <dt>tokens of plain input</dt>
        <dd>
          {formatNumber(bill.with)}, was {formatNumber(bill.without)}
        </dd>
      </dl>
    </Panel>
  );
}
