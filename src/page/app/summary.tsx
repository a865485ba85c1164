import type { JSX } from "preact";
import type { ReportData } from "../data.ts";
import { unitOf } from "./chart/bill-chart.tsx";
import { formatChange, formatNumber, formatPercent } from "./format.ts";
import { GLOSSARY } from "./glossary.tsx";
import { amountOf } from "./money-words.ts";
import { sayEdits } from "./say-edits.ts";
import { Tile } from "./tile.tsx";

/** The four figures that matter, on top. */
export function Summary({ data }: { readonly data: ReportData }): JSX.Element {
  return (
    <section class="tiles" aria-label="Summary">
      <TokensTile {...data} />
      <BillTile {...data} />
      <EvidenceTile {...data} />
      <CutsTile {...data} />
    </section>
  );
}

function TokensTile({ requests }: ReportData): JSX.Element {
  const raw = requests.reduce((sum, request) => sum + request.raw, 0);
  const pruned = requests.reduce((sum, request) => sum + request.pruned, 0);
  const peak = requests.reduce((most, request) => Math.max(most, request.pruned), 0);
  const rawPeak = requests.reduce((most, request) => Math.max(most, request.raw), 0);
  return (
    <Tile name="Tokens sent" figure={formatNumber(pruned)} change={[raw, pruned]}>
      {formatNumber(raw)} without pruning. Largest request {formatNumber(peak)}, was {formatNumber(rawPeak)}.
    </Tile>
  );
}

function BillTile({ bill }: ReportData): JSX.Element {
  const shown = unitOf(bill);
  const show = amountOf(bill);
  return (
    <Tile
      name="Bill"
      about={GLOSSARY.bill}
      figure={show(shown.with)}
      change={bill.dollars ? [1, bill.share] : [bill.without, bill.with]}
    >
      {bill.dollars
        ? `${show(shown.without)} without pruning, answers included; of input alone ${formatChange(1, bill.inputShare)}.`
        : `${show(shown.without)} without pruning: of input, in tokens of plain input.`}{" "}
      Cache breaks: {formatNumber(bill.breaks.with)}, were {formatNumber(bill.breaks.without)}.
    </Tile>
  );
}

function EvidenceTile({ evidence, editEvidence }: ReportData): JSX.Element {
  const { counted, kept } = evidence;
  if (counted === 0)
    return (
      <Tile name="Still there when needed" about={GLOSSARY.evidence} figure="–">
        The agent used nothing that could be checked.
      </Tile>
    );
  return (
    <Tile name="Still there when needed" about={GLOSSARY.evidence} figure={formatPercent(kept / counted)}>
      {formatNumber(kept)} of {formatNumber(counted)} things that the agent used later were still in its
      context
      {editEvidence.counted > 0 &&
        `; of the lines it edited ${formatPercent(editEvidence.kept / editEvidence.counted)}`}
      .
    </Tile>
  );
}

function CutsTile(data: ReportData): JSX.Element {
  const { requests, bound } = data;
  const cuts = requests.filter(({ cut }) => cut).length;
  return (
    <Tile name="Cuts" about={GLOSSARY.cut} figure={formatNumber(cuts)}>
      {sayEdits(data)}
      {bound !== undefined &&
        ` ${formatPercent(bound)} of the tokens sent had to stay only because the model binds its reasoning to the text before it.`}
    </Tile>
  );
}
