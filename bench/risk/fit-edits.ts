import type { WorkState } from "../../src/facts/task-files.ts";
import type { TextKind } from "../../src/risk/need-table.ts";
import type { Result } from "./collect-uses.ts";
import { AGES } from "./watch-work.ts";

/** A result at one age, and how many edits of its lines were still to come. */
interface Row {
  readonly kind: TextKind;
  readonly size: string;
  readonly age: string;
  readonly work: WorkState | "none";
  readonly edits: number;
}

/** Tokens up to which results are counted together. */
const SIZES: Readonly<Record<TextKind, readonly number[]>> = {
  view: [300, 800, 1_500, 3_000, 8_000, Number.POSITIVE_INFINITY],
  search: [800, Number.POSITIVE_INFINITY],
  run: [800, Number.POSITIVE_INFINITY],
  git: [800, Number.POSITIVE_INFINITY],
  other: [800, Number.POSITIVE_INFINITY],
};

/** A long series of edits counts as this many: one lost view is not ten. */
const MOST_EDITS = 3;

export function listRows(results: readonly Result[]): readonly Row[] {
  return results.flatMap(({ kind, tokens, edits, followed, work }) => {
    const size = `${kind} < ${SIZES[kind].find((upTo) => tokens < upTo)}`;
    return AGES.filter((age) => age <= followed).map((age, i) => ({
      kind,
      size,
      age: `${age}`,
      work: work?.[i] ?? "none",
      edits: Math.min(MOST_EDITS, edits.filter((after) => after >= age).length),
    }));
  });
}

export function withoutWork(row: Row): Row {
  return { ...row, work: "none" };
}

/** Factors that are multiplied: by kind and size, by age, and for views by where their files stand. */
export interface Fit {
  readonly factors: Readonly<Record<Factor, ReadonlyMap<string, number>>>;
  expect(row: Row): number;
}

type Factor = "size" | "age" | "work";
const FACTORS: readonly Factor[] = ["size", "age", "work"];
const ROUNDS = 25;

/** Fits one factor after the other, until all of them agree with what was counted. */
export function fitRows(rows: readonly Row[]): Fit {
  const factors: Record<Factor, Map<string, number>> = { size: new Map(), age: new Map(), work: new Map() };
  const take = (row: Row, factor: Factor) => factors[factor].get(row[factor]) ?? 1;
  for (let round = 0; round < ROUNDS; round++)
    for (const factor of FACTORS) {
      const sums = new Map<string, { counted: number; expected: number }>();
      for (const row of rows) {
        const own = sums.get(row[factor]) ?? { counted: 0, expected: 0 };
        sums.set(row[factor], own);
        own.counted += row.edits;
        own.expected += FACTORS.reduce((all, each) => (each === factor ? all : all * take(row, each)), 1);
      }
      for (const [key, { counted, expected }] of sums)
        factors[factor].set(key, (counted + 0.5) / (expected + 5));
    }
  return {
    factors: scale(factors),
    expect: (row) => FACTORS.reduce((all, each) => all * take(row, each), 1),
  };
}

/** Age 1 is 1, and so is the mean of views: what is left stands with the sizes. */
function scale(factors: Record<Factor, Map<string, number>>): Record<Factor, Map<string, number>> {
  const youngest = factors.age.get("1") ?? 1;
  const states = [...factors.work].filter(([state]) => state !== "none");
  const none = factors.work.get("none") ?? 1;
  const mean = states.length > 0 ? states.reduce((sum, [, factor]) => sum + factor, 0) / states.length : none;
  for (const [age, factor] of factors.age) factors.age.set(age, factor / youngest);
  for (const [state, factor] of factors.work) factors.work.set(state, state === "none" ? 1 : factor / mean);
  for (const [size, factor] of factors.size)
    factors.size.set(size, factor * youngest * (size.startsWith("view") ? mean : none));
  return factors;
}

/** How far the counts are from what was expected: 0 is perfect. */
export function measureDeviance(rows: readonly Row[], { expect }: Pick<Fit, "expect">): number {
  return rows.reduce((sum, row) => {
    const [expected, { edits }] = [expect(row), row];
    return sum + 2 * ((edits > 0 ? edits * Math.log(edits / expected) : 0) - (edits - expected));
  }, 0);
}
