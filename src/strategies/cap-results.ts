import { wasCut } from "../edits/own-marks.ts";
import type { CallFact } from "../facts/calls.ts";
import type { Facts } from "../facts/facts.ts";
import { rememberAt } from "../remember.ts";
import type { ToolUse } from "../tool-kinds/tool-use.ts";
import { estimateTokens } from "../transcript/estimate.ts";
import { ownText, replacePart } from "./replace-part.ts";
import type { Proposal, Strategy } from "./strategy.ts";
import { chooseLines } from "./summaries/choose-lines.ts";
import { capLine, LONG_LINE, splitLines } from "./summaries/lines.ts";
import { addNames } from "./summaries/omitted-names.ts";
import { addRef } from "./summaries/summary.ts";

export interface CapOptions {
  /** Tokens beyond which a result shrinks before it is first sent. */
  readonly ingestCap: number;
}

/**
 * A result that is too large shrinks before it is first sent: that costs no rewriting. Head and tail stay, and between
 * them the lines that hold what was named so far. Files that were asked for stay whole.
 *
 *   npm test, 30,000 tokens, cap 4,000   ->  first lines | ... [2,100 lines omitted · a1b2c3] ... | FAIL a.test.ts | …
 */
export const capResults: Strategy<CapOptions> = {
  name: "cap-results",
  propose: (step, facts, options) =>
    step.completed
      .filter(({ result, use }) => result >= step.from && !showsFile(use))
      .flatMap((fact) => proposeCap(facts, fact, options) ?? []),
};

function showsFile({ kind, shows }: ToolUse): boolean {
  return kind === "read" || shows === "file" || shows === "git-diff";
}

function proposeCap(facts: Facts, { result }: CallFact, { ingestCap }: CapOptions): Proposal | undefined {
  if ((facts.transcript.tokens[result] ?? 0) <= ingestCap) return undefined;
  const text = ownText(facts, result);
  const tokens = estimateTokens(text);
  if (tokens <= ingestCap || (tokens <= SLACK * ingestCap && wasCut(facts, result))) return undefined;
  const left = rememberAt(
    () => facts.transcript.version,
    () => shorten(facts, text, AIM * ingestCap),
  );
  return replacePart(facts, result, (ref) => addRef(left(), ref), {
    reason: `a result of more than ${ingestCap} tokens`,
  });
}

/** What was capped once may be a little over the cap: it is not capped again. */
const SLACK = 1.25;

/** Estimates of single lines come to a little less than that of the whole. */
const AIM = 0.95;

/** Share of it that each end gets. */
const END = 0.25;

/** Share of it that the names in what is left out get. */
const NAMES = 0.05;

/** Where a text has few lines more of each is shown: as many characters as are surely no more tokens than the cap. */
const CHARS_PER_TOKEN = 1.5;

function shorten(facts: Facts, text: string, budget: number): string {
  const lines = splitLines(text);
  const lineLimit = Math.max(LONG_LINE, Math.floor((CHARS_PER_TOKEN * budget) / lines.length));
  const head = takeFitting(lines, END * budget, lineLimit);
  const tail = takeFitting(lines.toReversed(), END * budget, lineLimit);
  const left = budget - head.tokens - tail.tokens;
  const options = { first: head.count, last: tail.count, lineLimit };
  const names = NAMES * budget;
  return addNames(chooseLines(text, left - names, facts.named, options), text, names);
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
