import type { Facts } from "../../facts/facts.ts";
import { visitNames } from "../../facts/literals.ts";
import { listNames } from "../../facts/shown-names.ts";
import type { IsProtectedFile } from "../../redaction/check-names.ts";
import { CHANCE_PER_TOKEN } from "../../risk/fetch-price.ts";
import type { Sign, TextKind } from "../../risk/need-table.ts";
import { nameNeed, namesAfter } from "../../risk/risk.ts";
import { capLine, renderLines, splitLines } from "./lines.ts";
import { type Salience, scoreLines } from "./salience.ts";
import { closeSmallGaps, tokensOf } from "./small-gaps.ts";

/** A result that is to be shortened. */
export interface Shortened {
  readonly part: number;
  readonly kind: TextKind;
  readonly text: string;
  readonly tokens: number;
  /** Steps since it came. */
  readonly age: number;
  readonly isProtectedFile: IsProtectedFile;
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
  lines: readonly string[],
): readonly SoleName[] {
  const signs = listSigns(lines, named);
  const seen = new Set<string>();
  const names: SoleName[] = [];
  let line = 0;
  let lineEnd = text.indexOf("\n");
  visitNames(text, (name, from) => {
    for (; lineEnd >= 0 && lineEnd < from; line++) lineEnd = text.indexOf("\n", lineEnd + 1);
    if (!seen.has(name) && shownNames.isOnlyIn(part, name))
      names.push({ name, from, line, need: nameNeed(kind, signs[line] ?? "none") });
    seen.add(name);
    return false;
  });
  return names;
}

/** Lines before and behind a line that count as beside it. */
const BESIDE = 2;

function listSigns(lines: readonly string[], named: Salience): readonly Sign[] {
  const isNamed = scoreLines(lines, named).map((score) => score > 0);
  return lines.map((_, i) => {
    if (isNamed[i]) return "named";
    for (let far = 1; far <= BESIDE; far++) if (isNamed[i - far] || isNamed[i + far]) return "beside";
    return "none";
  });
}

/** Keeps the lines with names that are worth more than the room that the line takes. */
export function keepNeededLines(facts: Facts, shortened: Shortened): string {
  const lines = splitLines(shortened.text).map((line) => capLine(line));
  const need = lines.map(() => 0);
  for (const { line, need: own } of listSoleNames(facts, shortened, lines))
    need[line] = (need[line] ?? 0) + own;
  const later = namesAfter(shortened.age);
  const kept = lines.map((line, i) => later * (need[i] ?? 0) > CHANCE_PER_TOKEN * tokensOf(line));
  closeSmallGaps(lines, kept);
  return renderLines(lines, (i) => kept[i] === true);
}

/** The names that only this result shows and that are not in what is left of it, the most needed first. */
export function listOmittedNames(facts: Facts, shortened: Shortened, left: string): readonly SoleName[] {
  const there = new Set(listNames(left));
  return listSoleNames(facts, shortened, splitLines(shortened.text))
    .filter(({ name }) => !there.has(name))
    .sort((a, b) => b.need - a.need);
}
