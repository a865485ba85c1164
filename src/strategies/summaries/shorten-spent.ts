import { rememberAt } from "../../basics/remember.ts";
import type { Facts } from "../../facts/facts.ts";
import { checkNames, type IsProtectedFile, type NameCheck } from "../../redaction/check-names.ts";
import type { ToolUse } from "../../tool-kinds/tool-use.ts";
import { estimateTokens } from "../../transcript/estimate.ts";
import { chooseLines } from "./choose-lines.ts";
import { keepNeededLines, listOmittedNames, type Shortened } from "./needed-lines.ts";
import { appendNames, splitNeeded } from "./omitted-names.ts";
import { summarize } from "./summarize.ts";
import type { SummaryContext } from "./summary.ts";

/** The shortened text of a result. */
export interface Short {
  readonly left: string;
  /** How often names are expected to be needed that only the omitted text shows. */
  readonly need: number;
}

/** In tokens. Smaller views keep more. */
const SMALL_VIEW = 800;

/** Tokens of lines that stay because they contain mentioned names. */
const NAMED_LINES_ROOM = 40;

/**
 * The largest share of a small view that may stay. If more would, only the shortest form is used: whether a view is
 * cut at all must not depend on the text of other parts, or pruning again would give another result.
 */
const LARGEST_SHARE = 0.8;

/** The largest share of a result's tokens for the list of omitted names. */
const NAMES_SHARE = 0.05;

/**
 * The shortened text of an unneeded result as of now, with the names in the omitted text that no other part shows,
 * as far as there is room; `undefined` if all of it stays.
 */
export function shortenSpent(
  facts: Facts,
  use: ToolUse,
  shown: Shortened,
  context: SummaryContext,
  isProtectedFile: IsProtectedFile,
): () => Short | undefined {
  const { text, tokens } = shown;
  const { transcript, shownNames } = facts;
  const shortest = rememberAt(
    () => transcript.version,
    () => shorten(use, text, context),
  );
  const mayName = checkOnce(() => checkNames(text, isProtectedFile));
  return rememberAt(
    () => shownNames.version,
    () => {
      const needed = isSmallView(shown) ? keepNeededLines(facts, shown) : undefined;
      const isShort = needed !== undefined && estimateTokens(needed) <= LARGEST_SHARE * tokens;
      const left = isShort ? needed : shortest();
      if (left === undefined) return undefined;
      const omitted = listOmittedNames(facts, shown, left);
      const { listed, rest } = splitNeeded(omitted, NAMES_SHARE * tokens, mayName);
      return { left: appendNames(left, listed), need: rest.reduce((sum, { need }) => sum + need, 0) };
    },
  );
}

/** Small views are cut early, while they may still be needed, so more of them stays. */
function isSmallView({ kind, tokens }: Shortened): boolean {
  return kind === "view" && tokens < SMALL_VIEW;
}

function shorten(use: ToolUse, text: string, context: SummaryContext): string | undefined {
  if (use.kind === "shell" && use.shows === undefined) return summarize(use, text, context);
  return chooseLines(text, NAMED_LINES_ROOM, context.salience, { namedOnly: true });
}

/** The check is created when a name is first queried, and each name is checked once. */
function checkOnce(open: () => NameCheck): NameCheck {
  const known = new Map<number, boolean>();
  let check: NameCheck | undefined;
  return (from, to) => {
    const found = known.get(from);
    if (found !== undefined) return found;
    check ??= open();
    const isFree = check(from, to);
    known.set(from, isFree);
    return isFree;
  };
}
