import { countOf, formatNumber } from "../../basics/numbers.ts";
import { splitLines } from "./lines.ts";
import { bracket, type Summarizer } from "./summary.ts";

/** `[Pruned tree: ~45 directories, 200 lines of structure]` */
export const summarizeTree: Summarizer = (_, text) => {
  const lines = splitLines(text).filter((line) => line.trim() !== "");
  const statedCount = /(\d[\d,]{0,20}) director(?:y|ies)/.exec(lines.at(-1) ?? "")?.[1];
  const count = statedCount === undefined ? countDirectories(lines) : Number(statedCount.replaceAll(",", ""));
  const directories = `~${formatNumber(count)} ${count === 1 ? "directory" : "directories"}`;
  return bracket(`tree: ${directories}, ${countOf(lines.length, "line")} of structure`);
};

/** Counts lines that end with a slash (`src/`), and lines with entries below them. */
function countDirectories(lines: readonly string[]): number {
  const depths = lines.map((line) => line.search(/[^\s│├└─|`+\\-]/));
  return lines.filter((line, i) => line.trimEnd().endsWith("/") || (depths[i + 1] ?? 0) > (depths[i] ?? 0))
    .length;
}
