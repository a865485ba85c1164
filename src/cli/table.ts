import { groupThousands } from "../basics/numbers.ts";
import type { Screen } from "./screen.ts";

/** Rows under titles: the last column is text of any length, the others are figures, aligned right. */
export function formatRows(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Screen["paint"],
): string {
  const widths = titles.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const write = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (i === cells.length - 1 ? cell : cell.padStart(widths[i] ?? 0)))
      .join("  ")
      .trimEnd();
  return [paint.dim(write(titles)), ...rows.map(write)].map((line) => `  ${line}\n`).join("");
}

/** `$0.42`, `$1,234.50`; below a cent with one significant digit. */
export function formatDollars(dollars: number): string {
  if (dollars > 0 && dollars < 0.01) return `$${dollars.toPrecision(1)}`;
  const [whole = "0", cents = "00"] = dollars.toFixed(2).split(".");
  return `$${groupThousands(whole)}.${cents}`;
}
