import type { JSX } from "preact";
import type { ReportData } from "../data.ts";
import { BillChart } from "./chart/bill-chart.tsx";
import { formatNumber, formatPercent } from "./format.ts";
import { Panel } from "./panel.tsx";

interface BillPanelProps {
  readonly data: ReportData;
  readonly goTo: (request: number) => void;
}

export function BillPanel({ data, goTo }: BillPanelProps): JSX.Element {
  const { bill, requests } = data;
  const share = bill.without > 0 ? bill.with / bill.without : 1;
  return (
    <Panel
      title="Bill"
      note={`What the input cost, added up over the requests${bill.dollars ? "" : ", in tokens of plain input"}. A cached prefix is billed at a fraction; a cut breaks it.`}
    >
      {requests.length < 2 ? (
        <p class="empty">There is nothing to draw yet.</p>
      ) : (
        <BillChart data={data} goTo={goTo} />
      )}
      <dl class="pairs">
        <dt>share of the unpruned bill</dt>
        <dd>{formatPercent(share)}</dd>
        <dt>if rewriting were free</dt>
        <dd>{formatPercent(bill.without > 0 ? bill.rewriteFree / bill.without : 1)}</dd>
        <dt>tokens of plain input</dt>
        <dd>
          {formatNumber(bill.with)}, was {formatNumber(bill.without)}
        </dd>
      </dl>
    </Panel>
  );
}
