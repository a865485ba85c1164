import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Amount, ReportData } from "../data.ts";
import { countOf, formatNumber } from "./format.ts";
import { Panel } from "./panel.tsx";
import { useIsPrinting } from "./use-is-printing.ts";

const ROWS_LISTED = 10;

/** Tokens by tool or by kind, before and after. */
export function AmountTable({ data }: { readonly data: ReportData }): JSX.Element {
  const [by, setBy] = useState<"tools" | "kinds">("tools");
  const isPrinting = useIsPrinting();
  return (
    <Panel
      title="Tokens by tool and kind"
      note="In the context at the end, as Coppice estimates it: dark for what is left, light for what was cut."
      isLong
    >
      <fieldset class="switch">
        <legend class="hidden">Tokens by</legend>
        {(["tools", "kinds"] as const).map((each) => (
          <button
            key={each}
            type="button"
            class="chip"
            aria-pressed={by === each}
            onClick={() => setBy(each)}
          >
            by {each === "tools" ? "tool" : "kind"}
          </button>
        ))}
      </fieldset>
      {(["tools", "kinds"] as const).map(
        (each) => (isPrinting || by === each) && <Amounts key={each} by={each} amounts={data.tokens[each]} />,
      )}
    </Panel>
  );
}

interface AmountsProps {
  readonly by: "tools" | "kinds";
  readonly amounts: readonly Amount[];
}

function Amounts({ by, amounts }: AmountsProps): JSX.Element {
  const most = amounts[0]?.raw ?? 0;
  if (amounts.length === 0)
    return <p class="empty">{by === "tools" ? "No tool was called." : "There is no text."}</p>;
  return (
    <table class="amounts">
      <thead>
        <tr>
          <th scope="col">{by === "tools" ? "tool" : "kind"}</th>
          <th scope="col">before</th>
          <th scope="col">after</th>
        </tr>
      </thead>
      <tbody>
        {gatherRest(amounts).map((amount) => (
          <AmountRow key={amount.name} amount={amount} most={most} />
        ))}
      </tbody>
    </table>
  );
}

function AmountRow({ amount, most }: { readonly amount: Amount; readonly most: number }): JSX.Element {
  const { name, parts, raw, pruned } = amount;
  const widthOf = (tokens: number): string => `${most === 0 ? 0 : (100 * Math.max(0, tokens)) / most}%`;
  return (
    <tr>
      <th scope="row">
        <span class="amount-name">
          {name} <span class="note">{countOf(parts, "part")}</span>
        </span>
        <span class="bar" aria-hidden="true">
          <span class="bar-left" style={{ width: widthOf(pruned) }} />
          <span class="bar-cut" style={{ width: widthOf(raw - pruned) }} />
        </span>
      </th>
      <td>{formatNumber(raw)}</td>
      <td>{formatNumber(pruned)}</td>
    </tr>
  );
}

/** The largest amounts, and one row for all others. */
function gatherRest(amounts: readonly Amount[]): readonly Amount[] {
  if (amounts.length <= ROWS_LISTED) return amounts;
  const rest = amounts.slice(ROWS_LISTED - 1);
  const add = (pick: (amount: Amount) => number): number =>
    rest.reduce((sum, amount) => sum + pick(amount), 0);
  return [
    ...amounts.slice(0, ROWS_LISTED - 1),
    {
      name: `${rest.length} others`,
      parts: add(({ parts }) => parts),
      raw: add(({ raw }) => raw),
      pruned: add(({ pruned }) => pruned),
    },
  ];
}
