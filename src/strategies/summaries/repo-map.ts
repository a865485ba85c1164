import { countOf, formatNumber } from "../../basics/numbers.ts";
import { capLine, splitLines } from "./lines.ts";
import { bracket, type Summarizer } from "./summary.ts";

/** `[Pruned repo_map: 36 files analyzed, ~5,000 chars of structure]` */
export const summarizeRepoMap: Summarizer = (_, text) => {
  const statedCount = /(\d[\d,]{0,20}) files?\b/.exec(text.slice(0, 1_000))?.[1];
  const count = statedCount === undefined ? countHeadings(text) : Number(statedCount.replaceAll(",", ""));
  const chars = text.length < 1_000 ? text.length : Math.round(text.length / 100) * 100;
  return bracket(`repo_map: ${countOf(count, "file")} analyzed, ~${formatNumber(chars)} chars of structure`);
};

/** Lines that are a path without indentation: `src/a.ts`, `src/a.ts:`, `## src/a.ts`. */
function countHeadings(text: string): number {
  return splitLines(text).filter((line) =>
    /^(?:[#*-]+ )?[`"]?[\w@.~/\\-]+\.\w+[`"]?:?(?:\s*\(.*\))?$/.test(capLine(line)),
  ).length;
}
