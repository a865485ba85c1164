import type { Facts } from "../../facts/facts.ts";
import { findKnown } from "../../facts/literals.ts";
import { findNames } from "../../facts/shown-names.ts";
import { CHANCE_PER_TOKEN } from "../../risk/fetch-price.ts";
import type { Sign, TextKind } from "../../risk/need-table.ts";
import { nameNeed, namesAfter } from "../../risk/risk.ts";
import { capLine, renderLines, splitLines } from "./lines.ts";
import type { Salience } from "./salience.ts";
import { closeSmallGaps, tokensOf } from "./small-gaps.ts";

/** A result that is to be shortened. */
export interface Shortened {
  readonly part: number;
  readonly kind: TextKind;
  readonly text: string;
  readonly tokens: number;
  /** The step that brought it. */
  readonly step: number;
}

/** A name that no other part shows, and how often it is expected to be needed. */
export interface SoleName {
  readonly name: string;
  /** Where it first stands: the place in the text, and the line. */
  readonly from: number;
  readonly line: number;
  readonly need: number;
}

/** The names that would be gone with this result, each where it first stands. */
export function listSoleNames(
  { named, shownNames }: Facts,
  { part, kind, text }: Shortened,
): readonly SoleName[] {
  const signOf = findSigns(text, named);
  const names: SoleName[] = [];
  let line = 0;
  let lineEnd = text.indexOf("\n");
  for (const [name, from] of shownNames.placesIn(part, text)) {
    for (; lineEnd >= 0 && lineEnd < from; line++) lineEnd = text.indexOf("\n", lineEnd + 1);
    if (shownNames.isOnlyIn(part, name)) names.push({ name, from, line, need: nameNeed(kind, signOf(line)) });
  }
  return names;
}

/** Lines before and behind a line that count as beside it. */
const BESIDE = 2;

/** Tells a line's sign. Only lines that are asked for, and those beside them, are looked through, each once. */
function findSigns(text: string, named: Salience): (line: number) => Sign {
  const findIn = findKnown(text, named);
  const known: boolean[] = [];
  let starts: readonly number[] | undefined;
  const isNamed = (line: number): boolean => {
    starts ??= listLineStarts(text);
    const from = starts[line];
    if (from === undefined) return false;
    known[line] ??= findIn(from, starts[line + 1] ?? text.length).length > 0;
    return known[line];
  };
  return (line) => {
    if (isNamed(line)) return "named";
    for (let far = 1; far <= BESIDE; far++) if (isNamed(line - far) || isNamed(line + far)) return "beside";
    return "none";
  };
}

function listLineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Keeps the lines with names that are worth more than the room that the line takes. */
export function keepNeededLines(facts: Facts, shortened: Shortened): string {
  const lines = splitLines(shortened.text).map((line) => capLine(line));
  const need = lines.map(() => 0);
  for (const { line, need: own } of listSoleNames(facts, shortened)) need[line] = (need[line] ?? 0) + own;
  const later = namesAfter(facts.transcript.lastStep - shortened.step);
  const kept = lines.map((line, i) => later * (need[i] ?? 0) > CHANCE_PER_TOKEN * tokensOf(line));
  closeSmallGaps(lines, kept);
  return renderLines(lines, (i) => kept[i] === true);
}

/** The names that only this result shows and that are not in what is left of it, the most needed first. */
export function listOmittedNames(facts: Facts, shortened: Shortened, left: string): readonly SoleName[] {
  const there = findNames(left);
  return listSoleNames(facts, shortened)
    .filter(({ name }) => !there.has(name))
    .sort((a, b) => b.need - a.need);
}
