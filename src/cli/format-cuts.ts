import { countOf, formatNumber } from "../basics/numbers.ts";
import type { FileEdit } from "../recordings/restore-file.ts";
import { describeRisk } from "../risk/describe-risk.ts";
import type { Screen } from "./screen.ts";
import { formatRows } from "./table.ts";

type Paint = Screen["paint"];

/** One line for each cut, the largest first. */
export function formatCuts(edits: readonly FileEdit[], paint: Paint): string {
  if (edits.length === 0) return "Nothing to cut.\n";
  const sorted = edits.toSorted((a, b) => b.saved - a.saved);
  return formatRows(
    ["ref", "tokens", "pass", "why"],
    sorted.map(({ ref, saved, author, reason }) => [ref, `-${formatNumber(saved)}`, author, reason]),
    paint,
  );
}

/**
 * Each cut with its original and its replacement.
 *
 *   a1b2c3  file-views: superseded by a newer read of src/a.ts  (-1,204 tokens)
 *   - export const a = 1;
 *   + [a newer read of src/a.ts follows · a1b2c3]
 */
export function formatDiff(edits: readonly FileEdit[], paint: Paint, lines: number): string {
  if (edits.length === 0) return "Nothing was cut.\n";
  return edits
    .map(({ ref, author, reason, saved, original, text, risk }) =>
      [
        `${paint.bold(ref)}  ${author}: ${reason}  ${paint.dim(`(-${countOf(saved, "token")})`)}\n`,
        risk ? `${paint.dim(`        ${describeRisk(risk)}`)}\n` : "",
        prefixLines(original, "- ", lines, paint.red),
        prefixLines(text, "+ ", lines, paint.green),
      ].join(""),
    )
    .join("\n");
}

function prefixLines(text: string, prefix: string, most: number, paint: (text: string) => string): string {
  const all = text.split(/\r?\n/);
  const shown = all.slice(0, most).map((line) => `${paint(`${prefix}${line}`)}\n`);
  const rest = all.length - shown.length;
  return shown.join("") + (rest > 0 ? `${paint(`${prefix}… ${countOf(rest, "more line")}`)}\n` : "");
}
