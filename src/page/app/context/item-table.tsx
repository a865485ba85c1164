import type { JSX } from "preact";
import type { ToolHistory } from "../../../analysis/tool-history.ts";
import { formatCents, formatNumber } from "../format.ts";

export interface ItemRow {
  readonly name: string;
  readonly tokens: number;
  readonly dollars?: number;
  readonly used?: ToolHistory;
  readonly switch?: string;
}

interface ItemTableProps {
  /** For screen readers. */
  readonly title: string;
  readonly rows: readonly ItemRow[];
  /** The number of sessions that were examined. */
  readonly sessions: number;
}

/** Columns that would be empty are left out. */
export function ItemTable({ title, rows, sessions }: ItemTableProps): JSX.Element {
  const hasMoney = rows.some(({ dollars }) => dollars !== undefined);
  const hasUse = sessions > 0 && rows.some(({ used }) => used !== undefined);
  const hasSwitch = rows.some((row) => row.switch !== undefined);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what can be scrolled has to be reached by keyboard
    <section class="scrolled" tabIndex={0} aria-label={title}>
      <table class="amounts items">
        <thead>
          <tr>
            <th scope="col">what</th>
            <th scope="col">tokens</th>
            {hasMoney && <th scope="col">a month</th>}
            {hasUse && <th scope="col">used in</th>}
            {hasUse && <th scope="col">last used</th>}
            {hasSwitch && (
              <th scope="col" class="col-switch">
                turned off by
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">{row.name}</th>
              <td>{formatNumber(row.tokens)}</td>
              {hasMoney && <td>{row.dollars === undefined ? "" : formatCents(row.dollars, false)}</td>}
              {hasUse && (
                <td>
                  {row.used?.sessions ?? 0} of {sessions}
                </td>
              )}
              {hasUse && <td>{showLast(row.used)}</td>}
              {hasSwitch && (
                <td class="col-switch">{row.switch !== undefined && <code>{row.switch}</code>}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function showLast(used: ToolHistory | undefined): string {
  if (!used || used.sessions === 0) return "never";
  return used.last === undefined ? "" : new Date(used.last).toISOString().slice(0, 10);
}
