import type { IsProtectedFile } from "../../redaction/check-names.ts";
import { estimateTokens } from "../../transcript/estimate.ts";
import { chooseLines } from "./choose-lines.ts";
import { capLine, LONG_LINE, splitLines } from "./lines.ts";
import { addNames } from "./omitted-names.ts";
import type { Salience } from "./salience.ts";

/** Share of the tokens to aim for: the estimates of single lines add up to slightly less than that of the whole. */
const AIMED_SHARE = 0.95;

/** Share of the budget for each end. */
const END_SHARE = 0.25;

/** Share of the budget for the names in the omitted text. */
const NAMES_SHARE = 0.05;

/** If a text has few lines, more of each is shown: this many characters certainly fit into a token. */
const CHARS_PER_TOKEN = 1.5;

/** How much of a text may stay. */
export interface TextRoom {
  readonly tokens: number;
  /** Tokens that failures may use in addition; without it, they must fit. */
  readonly failures?: number;
  /** The text is a list of search results: its shortened form says that it is incomplete. */
  readonly isList?: boolean;
}

/**
 * Shortens a text to about this many tokens: its head and tail, between them its failures and lines with mentioned
 * names, and the names in the omitted text.
 */
export function shortenText(
  text: string,
  { tokens, failures, isList = false }: TextRoom,
  named: Salience,
  isProtectedFile: IsProtectedFile,
): string {
  const budget = AIMED_SHARE * tokens;
  const lines = splitLines(text);
  const lineLimit = Math.max(LONG_LINE, Math.floor((CHARS_PER_TOKEN * budget) / lines.length));
  const head = takeFitting(lines, END_SHARE * budget, lineLimit);
  const tail = takeFitting(lines.toReversed(), END_SHARE * budget, lineLimit);
  const left = budget - head.tokens - tail.tokens;
  const names = NAMES_SHARE * budget;
  const chosen = chooseLines(text, left - names, named, {
    first: head.count,
    last: tail.count,
    lineLimit,
    failures: Math.max(left - names, failures ?? 0),
    isList,
  });
  return addNames(chosen, text, names, isProtectedFile);
}

interface Fitting {
  readonly count: number;
  readonly tokens: number;
}

/** How many of the first lines fit into this many tokens. */
function takeFitting(lines: readonly string[], limit: number, lineLimit: number): Fitting {
  let tokens = 0;
  for (const [count, line] of lines.entries()) {
    const more = estimateTokens(capLine(line, lineLimit)) + 1;
    if (tokens + more > limit) return { count, tokens };
    tokens += more;
  }
  return { count: lines.length, tokens };
}
