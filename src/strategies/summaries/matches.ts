import { countOf, formatNumber } from "../../basics/numbers.ts";
import { capLine, splitLines } from "./lines.ts";
import { chooseFew } from "./salience.ts";
import { bracket, type Summarizer } from "./summary.ts";
import { titleOf } from "./title.ts";

const MATCHES_SHOWN = 3;
const LONG_MATCH = 200;

/** `[Pruned grep_code: 15 matches, first 3:`, three matches, `... +12 more]` */
export const summarizeMatches: Summarizer = (use, text, { salience }) => {
  const { said, matches } = readMatches(text);
  const count = Math.max(said ?? 0, matches.length);
  if (matches.length === 0) return undefined;
  const chosen = chooseFew(matches, MATCHES_SHOWN, salience);
  const areFirst = chosen.every((index, i) => index === i);
  const shown = chosen.map((i) => capLine(matches[i] ?? "", 2 * LONG_MATCH));
  const more = count > chosen.length ? [`... +${formatNumber(count - chosen.length)} more`] : [];
  const which = areFirst ? `first ${chosen.length}` : `${chosen.length} of them`;
  return bracket(`${titleOf(use)}: ${countOf(count, "match", "matches")}, ${which}`, [...shown, ...more]);
};

interface Matches {
  /** How many there are, where the tool tells: it may show fewer. */
  readonly said?: number;
  readonly matches: readonly string[];
}

/**
 * Matches stand alone (`a.ts:12: x`) or under the name of their file; then they get it in front. Where there are only
 * names of files, these are the matches.
 */
function readMatches(text: string): Matches {
  const matches: string[] = [];
  const files: string[] = [];
  let said: number | undefined;
  let file = "";
  for (const whole of splitLines(text)) {
    const line = capLine(whole, LONG_MATCH);
    const trimmed = line.trim();
    const [, number] = SAID.exec(trimmed) ?? [];
    if (number !== undefined) said = Number(number.replaceAll(",", ""));
    else if (trimmed === "") file = "";
    else if (isHeading(line)) {
      file = trimmed.replace(/:$/, "");
      files.push(file);
    } else if (trimmed !== "--" && !/^\(.*\)$/.test(trimmed)) {
      matches.push(file === "" || !UNDER_HEADING.test(line) ? trimmed : `${file}: ${trimmed}`);
    }
  }
  return { matches: matches.length > 0 ? matches : files, ...(said === undefined ? {} : { said }) };
}

/** A name with an ending or a folder in it. */
function isHeading(line: string): boolean {
  return PATH.test(line) && /[/.\\]/.test(line.slice(1));
}

const SAID = /^Found (\d[\d,]*) (?:match|result|line|file)/i;
const PATH = /^[\w@.~/\\-]+:?$/;
const UNDER_HEADING = /^\s*(?:Line \d+|L?\d+)\s*[:|-]/;
