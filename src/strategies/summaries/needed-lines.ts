import type { Facts } from "../../facts/facts.ts";
import { LineSpans } from "../../facts/line-spans.ts";
import { findNames } from "../../facts/literals.ts";
import type { PlacedName } from "../../facts/shown-names.ts";
import { CHANCE_PER_TOKEN } from "../../risk/fetch-price.ts";
import type { Sign, TextKind } from "../../risk/need-table.ts";
import { nameNeed, namesAfter } from "../../risk/risk.ts";
import { CappedLines, renderLines } from "./lines.ts";
import type { Salience } from "./salience.ts";
import { closeSmallGaps, tokensOf } from "./small-gaps.ts";

/** A result to be shortened. */
export interface Shortened {
  readonly part: number;
  readonly kind: TextKind;
  readonly text: string;
  readonly tokens: number;
  /** The step of the result. */
  readonly step: number;
}

/** A name that no other part shows, and how often it is expected to be needed. */
export interface SoleName extends PlacedName {
  /** The line of its first occurrence. */
  readonly line: number;
  readonly need: number;
}

/** The names that would be gone with this result, each with its first occurrence. */
export function listSoleNames(facts: Facts, { part, kind, text }: Shortened): readonly SoleName[] {
  const sole = facts.shownNames.listSole(part, text);
  if (sole.length === 0) return [];
  const spans = new LineSpans(text);
  const signOf = findSigns(spans, facts.namedIn(part, text));
  let line = 0;
  return sole.map(({ name, from }) => {
    while (line + 1 < spans.length && spans.from(line + 1) <= from) line++;
    return { name, from, line, need: nameNeed(kind, signOf(line)) };
  });
}

/** Lines before and after a line that count as next to it. */
const BESIDE = 2;

function findSigns(spans: LineSpans, salience: Salience): (line: number) => Sign {
  const named = new Set(salience.findIn(spans, Number.POSITIVE_INFINITY).lines);
  if (named.size === 0) return () => "none";
  return (line) => {
    if (named.has(line)) return "named";
    for (let far = 1; far <= BESIDE; far++)
      if (named.has(line - far) || named.has(line + far)) return "beside";
    return "none";
  };
}

/** Keeps the lines whose names are worth more than the line's size. */
export function keepNeededLines(facts: Facts, shortened: Shortened): string {
  const lines = new CappedLines(shortened.text).list();
  const need = lines.map(() => 0);
  for (const { line, need: own } of listSoleNames(facts, shortened)) need[line] = (need[line] ?? 0) + own;
  const later = namesAfter(facts.transcript.lastStep - shortened.step);
  const kept = lines.map((line, i) => later * (need[i] ?? 0) > CHANCE_PER_TOKEN * tokensOf(line));
  closeSmallGaps(lines, kept);
  return renderLines(lines, (i) => kept[i] === true);
}

/** The names that only this result shows and that its shortened text lacks, the most needed first. */
export function listOmittedNames(facts: Facts, shortened: Shortened, left: string): readonly SoleName[] {
  const there = findNames(left);
  return listSoleNames(facts, shortened)
    .filter(({ name }) => !there.has(name))
    .sort((a, b) => b.need - a.need);
}
