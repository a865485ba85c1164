import { countOf, formatNumber } from "../../basics/numbers.ts";
import { capLine, splitLines } from "./lines.ts";
import { chooseFew } from "./salience.ts";
import { bracket, type Summarizer } from "./summary.ts";
import { titleOf } from "./title.ts";

const MATCHES_SHOWN = 3;
const LONG_MATCH = 200;

/** `[Pruned grep_code: 15 matches, first 3:`, three matches, `... +12 more]` */
export const summarizeMatches: Summarizer = (use, text, { salience }) => {
  const { statedCount, matches } = readMatches(text);
  const count = Math.max(statedCount ?? 0, matches.length);
  if (matches.length === 0) return undefined;
  const chosen = chooseFew(matches, MATCHES_SHOWN, salience);
  const areFirst = chosen.every((index, i) => index === i);
  const shown = chosen.map((i) => capLine(matches[i] ?? "", 2 * LONG_MATCH));
  const more = count > chosen.length ? [`... +${formatNumber(count - chosen.length)} more`] : [];
  const which = areFirst ? `first ${chosen.length}` : `${chosen.length} of them`;
  return bracket(`${titleOf(use)}: ${countOf(count, "match", "matches")}, ${which}`, [...shown, ...more]);
};

interface Matches {
  /** The number of all matches, if the tool states it: it may show fewer. */
  readonly statedCount?: number;
  readonly matches: readonly string[];
}

/**
 * A match names its file (`a.ts:12: x`) or is below the file's name; then the name is put before it. If there are
 * only names of files, these count as the matches.
 */
function readMatches(text: string): Matches {
  const matches: string[] = [];
  const files: string[] = [];
  let statedCount: number | undefined;
  let file = "";
  for (const whole of splitLines(text)) {
    const line = capLine(whole, LONG_MATCH);
    const trimmed = line.trim();
    const [, number] = STATED_COUNT.exec(trimmed) ?? [];
    if (number !== undefined) statedCount = Number(number.replaceAll(",", ""));
    else if (trimmed === "") file = "";
    else if (isHeading(line)) {
      file = trimmed.replace(/:$/, "");
      files.push(file);
    } else if (trimmed !== "--" && !/^\(.*\)$/.test(trimmed)) {
      matches.push(file === "" || !UNDER_HEADING.test(line) ? trimmed : `${file}: ${trimmed}`);
    }
  }
  return {
    matches: matches.length > 0 ? matches : files,
    ...(statedCount === undefined ? {} : { statedCount }),
  };
}

/** Is the line a file's name, with an extension or a folder? */
function isHeading(line: string): boolean {
  return PATH_LINE.test(line) && /[/.\\]/.test(line.slice(1));
}

const STATED_COUNT = /^Found (\d[\d,]*) (?:match|result|line|file)/i;
const PATH_LINE = /^[\w@.~/\\-]+:?$/;
const UNDER_HEADING = /^\s*(?:Line \d+|L?\d+)\s*[:|-]/;
