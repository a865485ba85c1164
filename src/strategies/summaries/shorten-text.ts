import { estimateTokens } from "../../transcript/estimate.ts";
import { chooseLines } from "./choose-lines.ts";
import { capLine, LONG_LINE, splitLines } from "./lines.ts";
import { addNames } from "./omitted-names.ts";
import type { Salience } from "./salience.ts";

/** Estimates of single lines come to a little less than that of the whole. */
const AIMED_SHARE = 0.95;

/** Share of it that each end gets. */
const END_SHARE = 0.25;

/** Share of it that the names in what is left out get. */
const NAMES_SHARE = 0.05;

/** Where a text has few lines more of each is shown: as many characters as are surely no more tokens than the cap. */
const CHARS_PER_TOKEN = 1.5;

/** About so many tokens of a text: head and tail, between them the lines that hold what was named, and names from the rest. */
export function shortenText(text: string, tokens: number, named: Salience): string {
  const budget = AIMED_SHARE * tokens;
  const lines = splitLines(text);
  const lineLimit = Math.max(LONG_LINE, Math.floor((CHARS_PER_TOKEN * budget) / lines.length));
  const head = takeFitting(lines, END_SHARE * budget, lineLimit);
  const tail = takeFitting(lines.toReversed(), END_SHARE * budget, lineLimit);
  const left = budget - head.tokens - tail.tokens;
  const options = { first: head.count, last: tail.count, lineLimit };
  const names = NAMES_SHARE * budget;
  return addNames(chooseLines(text, left - names, named, options), text, names);
}

interface Fitting {
  readonly count: number;
  readonly tokens: number;
}

/** How many of the first lines come to at most so many tokens. */
function takeFitting(lines: readonly string[], limit: number, lineLimit: number): Fitting {
  let tokens = 0;
  for (const [count, line] of lines.entries()) {
    const more = estimateTokens(capLine(line, lineLimit)) + 1;
    if (tokens + more > limit) return { count, tokens };
    tokens += more;
  }
  return { count: lines.length, tokens };
}
