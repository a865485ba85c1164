import { applySplices, type Splice } from "../basics/splices.ts";
import { EMPTIED } from "../transcript/part.ts";
import type { Literal } from "./dye.ts";
import type { LiteralCut } from "./find-cuts.ts";

export interface SplicePlan {
  /** Splices of literals, quotes included, in the order of the file. */
  readonly splices: readonly Splice[];
  /** The cuts that they make. */
  readonly cuts: readonly LiteralCut[];
}

type Cuts = ReadonlyMap<Literal, readonly LiteralCut[]>;

/**
 * The literals of the file that change. A copy that a host wrote next to the message (the same text in the same
 * record, which no message is made of) changes too.
 */
export function planSplices(literals: readonly Literal[], byLiteral: Cuts): SplicePlan {
  const isCut = (literal: Literal) => (byLiteral.get(literal)?.length ?? 0) > 0;
  const cut = literals.filter((literal) => isCut(literal) && !listHolders(literal).some(isCut));
  const inner = groupInner(cut);
  const copies = findCopies(literals, byLiteral);
  // By place: two messages in one record may have the same text, and then share their copies.
  const splices = new Map<number, Splice>();
  for (const root of new Set(cut.map(rootOf))) {
    const text = rewrite(root, byLiteral, inner);
    for (const { from, to } of [root, ...(copies.get(copyKey(root)) ?? [])])
      splices.set(from, { from, to, text });
  }
  return {
    splices: [...splices.values()].sort((a, b) => a.from - b.from),
    cuts: cut.flatMap((literal) => byLiteral.get(literal) ?? []),
  };
}

/** The new literal: with its own cuts, or with those of the strings in its JSON. */
function rewrite(
  literal: Literal,
  byLiteral: Cuts,
  inner: ReadonlyMap<Literal, ReadonlySet<Literal>>,
): string {
  const own = byLiteral.get(literal) ?? [];
  const held = own.length > 0 ? [] : [...(inner.get(literal) ?? [])];
  const value = applySplices(literal.value, [
    ...own.map(({ from, to, edit }) => ({ from, to, text: edit.text })),
    ...held.map((each) => ({ from: each.from, to: each.to, text: rewrite(each, byLiteral, inner) })),
  ]);
  return JSON.stringify(value.trim() === "" ? EMPTIED : value);
}

/** By holder: the literals in it that are cut, or that contain cut literals. */
function groupInner(cut: readonly Literal[]): ReadonlyMap<Literal, ReadonlySet<Literal>> {
  const inner = new Map<Literal, Set<Literal>>();
  for (const literal of cut) {
    for (const each of [literal, ...listHolders(literal)]) {
      if (!each.holder) continue;
      const others = inner.get(each.holder);
      if (others) others.add(each);
      else inner.set(each.holder, new Set([each]));
    }
  }
  return inner;
}

/** Literals that no message is made of, by their record and text. */
function findCopies(literals: readonly Literal[], byLiteral: Cuts): ReadonlyMap<string, readonly Literal[]> {
  const read = new Set([...byLiteral.keys()].map(rootOf));
  const copies = new Map<string, Literal[]>();
  for (const literal of literals) {
    if (literal.holder || read.has(literal)) continue;
    const others = copies.get(copyKey(literal));
    if (others) others.push(literal);
    else copies.set(copyKey(literal), [literal]);
  }
  return copies;
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
