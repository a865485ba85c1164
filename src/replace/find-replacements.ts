import { proposeReplace, splitsInstructions } from "../agent/propose.ts";
import { MINIMUM_MATCH, type ReplaceOperation } from "../agent/prune-input.ts";
import { describeWhere } from "../agent/subject.ts";
import { formatNumber } from "../basics/numbers.ts";
import type { PricedPlan, ReplacePlan } from "../edits/cut-plan.ts";
import type { Ledger } from "../edits/ledger.ts";
import { type Guarded, wordRefusal } from "../edits/refusal.ts";
import type { Facts } from "../facts/facts.ts";
import { estimateTokens } from "../transcript/estimate.ts";
import type { Ref } from "../transcript/refs.ts";
import { findMatches, listProtected, type Match } from "./find-matches.ts";
import { indexPatterns } from "./index-patterns.ts";
import { type ShownStretch, type ShownText, toOriginal } from "./shown-text.ts";
import { findSimilar } from "./similar-passages.ts";

/** The session or messages to search for replacements. */
export interface ReplaceSource {
  readonly facts: Facts;
  readonly ledger: Ledger;
  /** Returns why a part must not be cut, or `undefined`. */
  protectedFrom(part: number): string | undefined;
  /** Returns the plan with its ref and its present savings, or why it can't be made. */
  tryOut(plan: ReplacePlan): Guarded<Pick<PricedPlan, "price">>;
}

export interface ReplaceRules {
  /** One of start and end must be longer than this, in characters. */
  readonly minimumPattern: number;
}

/** An operation and the one place that it matches. */
export interface Replacement extends ShownStretch {
  readonly operation: ReplaceOperation;
  readonly plan: ReplacePlan;
  readonly ref: Ref;
  /** In tokens. */
  readonly saves: number;
}

export interface FoundReplacements {
  /** Empty if there is any error. */
  readonly replacements: readonly Replacement[];
  readonly errors: readonly string[];
}

/** Finds each operation's place in these texts, and all errors. */
export function findReplacements(
  source: ReplaceSource,
  texts: readonly ShownText[],
  operations: readonly ReplaceOperation[],
  rules: ReplaceRules,
): FoundReplacements {
  const search = makeSearch(texts, operations, source);
  const outcomes = operations.map((operation, i) => {
    const outcome = locate(operation, search, source, rules);
    return typeof outcome === "string" ? `Operation ${i + 1}: ${outcome}` : outcome;
  });
  const errors = outcomes.filter((outcome) => typeof outcome === "string");
  const found = outcomes.map((outcome) => (typeof outcome === "string" ? undefined : outcome));
  const problems = [...errors, ...listOverlaps(found, source.facts)];
  const isFound = problems.length === 0;
  return { replacements: isFound ? found.filter((each) => each !== undefined) : [], errors: problems };
}

/** Searches the texts for the operations of one call. */
interface Search {
  find(operation: ReplaceOperation): readonly Match[];
  /** Explains why nothing was found. Detailed only for the first few operations, because it searches all texts. */
  explain(operation: ReplaceOperation): string;
}

function makeSearch(
  texts: readonly ShownText[],
  operations: readonly ReplaceOperation[],
  source: ReplaceSource,
): Search {
  const mayHold = indexPatterns(
    texts,
    operations.flatMap(({ start, end }) => [start, end]),
  );
  let explained = 0;
  return {
    find: ({ start, end }) => findMatches(mayHold([start, end]), start, end),
    explain(operation) {
      if (++explained > MOST_LISTED_MATCHES)
        return `Pattern not found: start ${quote(operation.start)}, end ${quote(operation.end)}`;
      return explainProtected(operation, source) ?? explainMissing(operation, texts, source.facts);
    },
  };
}

/** The one place of an operation, or the problem with it. */
function locate(
  operation: ReplaceOperation,
  search: Search,
  source: ReplaceSource,
  { minimumPattern }: ReplaceRules,
): Replacement | string {
  const { start, end, replacement } = operation;
  if (Math.max(start.length, end.length) <= minimumPattern)
    return `start or end must be longer than ${minimumPattern} characters: ${quote(start)} has ${start.length}, ${quote(end)} has ${end.length}`;
  const matches = search.find(operation);
  const [match] = matches;
  if (!match) return search.explain(operation);
  if (matches.length > 1) return explainAmbiguous(matches, source.facts);
  const length = match.to - match.from;
  if (length < MINIMUM_MATCH)
    return `Match too short: ${length} characters, minimum ${MINIMUM_MATCH} characters`;
  const stretch = toOriginal(match.text, match.from, match.to);
  const before = estimateTokens(stretch.shown);
  const after = estimateTokens(replacement);
  if (after >= before)
    return `the replacement (${formatNumber(after)} tokens) is not shorter than the match (${formatNumber(before)} tokens)`;
  if (splitsInstructions(source.facts, stretch))
    return `the match includes instructions of the host, which can't be cut (${locateText(match, source.facts)})`;
  const plan = proposeReplace(source.facts, stretch, replacement);
  if (!plan) return "there is no text to replace";
  const tried = source.tryOut(plan);
  if (!tried.ok) return `${wordRefusal(tried.issue.refusal)} (${locateText(match, source.facts)})`;
  const { ref, saves } = tried.value.price;
  return { ...stretch, operation, plan, ref, saves };
}

/** Tells the agent that its pattern occurs only in protected text. */
function explainProtected({ start, end }: ReplaceOperation, source: ReplaceSource): string | undefined {
  const [match] = findMatches(listProtected(source), start, end);
  const why = match && source.protectedFrom(match.text.part);
  return match && `Pattern not found where it may be cut: ${why} (${locateText(match, source.facts)})`;
}

function explainMissing({ start, end }: ReplaceOperation, texts: readonly ShownText[], facts: Facts): string {
  const startsIn = texts.find(({ text }) => text.includes(start));
  const endsIn = texts.find(({ text }) => text.includes(end));
  const missing = startsIn ? end : start;
  const what =
    startsIn && endsIn
      ? `end ${quote(end)} does not follow start ${quote(start)} in one part; start is in ${describeWhere(facts, startsIn.part)}, end in ${describeWhere(facts, endsIn.part)}`
      : `${startsIn ? "end" : "start"} ${quote(missing)}`;
  const similar = startsIn && endsIn ? [] : findSimilar(texts, missing);
  const lines = similar.map(
    ({ text, line, passage }) =>
      `  similar: ${quote(passage)} in ${describeWhere(facts, text.part)}, line ${line}`,
  );
  return [`Pattern not found: ${what}`, ...lines].join("\n");
}

/** The most matches to list, and the most operations without a match to explain in detail. */
const MOST_LISTED_MATCHES = 20;

function explainAmbiguous(matches: readonly Match[], facts: Facts): string {
  const lines = matches
    .slice(0, MOST_LISTED_MATCHES)
    .map((match) => `  ${locateText(match, facts)}: ${quote(surround(match))}`);
  const more =
    matches.length > MOST_LISTED_MATCHES ? [`  and ${matches.length - MOST_LISTED_MATCHES} more`] : [];
  return [`${matches.length} matches, give a longer start or end that fits once:`, ...lines, ...more].join(
    "\n",
  );
}

function listOverlaps(found: readonly (Replacement | undefined)[], facts: Facts): readonly string[] {
  const inOrder = found
    .flatMap((replacement, i) => (replacement ? [{ replacement, number: i + 1 }] : []))
    .toSorted((a, b) => a.replacement.part - b.replacement.part || a.replacement.from - b.replacement.from);
  return inOrder.flatMap(({ replacement, number }, i) => {
    const next = inOrder[i + 1];
    if (!next || next.replacement.part !== replacement.part || next.replacement.from >= replacement.to)
      return [];
    const where = describeWhere(facts, replacement.part);
    return [`Operations ${number} and ${next.number} are overlapping in ${where}: join them into one`];
  });
}

function locateText({ text, from }: Match, facts: Facts): string {
  const line = text.text.slice(0, from).split("\n").length;
  return `${describeWhere(facts, text.part)}, line ${line}`;
}

/** Characters shown on either side of a match. */
const CONTEXT_CHARACTERS = 30;

function surround({ text, from, to }: Match): string {
  const shown = text.text.slice(
    Math.max(0, from - CONTEXT_CHARACTERS),
    Math.min(to, from + 2 * CONTEXT_CHARACTERS) + CONTEXT_CHARACTERS,
  );
  return shown.toWellFormed();
}

function quote(text: string): string {
  return JSON.stringify(text.length > 120 ? `${text.slice(0, 119)}…` : text);
}
