import { EMPTIED } from "../transcript/part.ts";
import type { Literal } from "./dye.ts";
import type { LiteralCut } from "./find-cuts.ts";

/** A literal of the file and what will stand in its place, quotes included. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface SplicePlan {
  /** In the order of the file. */
  readonly splices: readonly Splice[];
  /** The cuts that they make. */
  readonly cuts: readonly LiteralCut[];
}

/**
 * The literals of the file that change, and nothing else of it. What a host wrote beside the message as a copy (in the
 * same record, the very same text, and no message is made of it) changes with it.
 */
export function planSplices(
  literals: readonly Literal[],
  byLiteral: ReadonlyMap<Literal, readonly LiteralCut[]>,
): SplicePlan {
  const isCut = (literal: Literal) => (byLiteral.get(literal)?.length ?? 0) > 0;
  const cut = literals.filter((literal) => isCut(literal) && !listHolders(literal).some(isCut));
  const inner = new Map<Literal, Set<Literal>>();
  for (const literal of cut) {
    for (const each of [literal, ...listHolders(literal)]) {
      if (!each.holder) continue;
      const siblings = inner.get(each.holder);
      if (siblings) siblings.add(each);
      else inner.set(each.holder, new Set([each]));
    }
  }
  const change = (literal: Literal): string => {
    const cuts = byLiteral.get(literal) ?? [];
    const changes =
      cuts.length > 0
        ? cuts.map(({ from, to, edit }) => ({ from, to, text: edit.text }))
        : [...(inner.get(literal) ?? [])].map((each) => ({ ...each, text: change(each) }));
    const value = applySplices(literal.value, changes);
    return JSON.stringify(value.trim() === "" ? EMPTIED : value);
  };
  const read = new Set([...byLiteral.keys()].map(rootOf));
  const copies = new Map<string, Literal[]>();
  for (const literal of literals) {
    if (literal.holder || read.has(literal)) continue;
    const others = copies.get(copyKey(literal));
    if (others) others.push(literal);
    else copies.set(copyKey(literal), [literal]);
  }
  const roots = [...new Set(cut.map(rootOf))];
  const splices = roots.flatMap((root) => {
    const text = change(root);
    return [root, ...(copies.get(copyKey(root)) ?? [])].map(({ from, to }) => ({ from, to, text }));
  });
  // Two messages of one record may have said the same: their copies are the same ones.
  const byPlace = new Map(splices.map((splice) => [splice.from, splice]));
  return {
    splices: [...byPlace.values()].sort((a, b) => a.from - b.from),
    cuts: cut.flatMap((literal) => byLiteral.get(literal) ?? []),
  };
}

/** The text with what stands at each place replaced. The splices are disjoint. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = "";
  let at = 0;
  for (const splice of splices.toSorted((a, b) => a.from - b.from)) {
    result += text.slice(at, splice.from) + splice.text;
    at = splice.to;
  }
  return result + text.slice(at);
}

function listHolders({ holder }: Literal): readonly Literal[] {
  return holder ? [holder, ...listHolders(holder)] : [];
}

function rootOf(literal: Literal): Literal {
  return literal.holder ? rootOf(literal.holder) : literal;
}

function copyKey({ record, value }: Literal): string {
  return `${record} ${value}`;
}
