import {
  EDITS,
  type Faded,
  LATER_EDITS,
  LATER_NAMES,
  NAMES_NEEDED,
  type Sign,
  type TextKind,
} from "./need-table.ts";

/** How often what a cut takes out is expected to be needed again. */
export interface Risk {
  readonly kind: TextKind;
  /** Of the whole result. */
  readonly tokens: number;
  /** The step that brought it. */
  readonly step: number;
  /** Uses of names that would be gone, from the step after it on. */
  readonly names: number;
  /** Edits of lines that would be gone, likewise. */
  readonly edits: number;
}

/** Uses of a name that stands nowhere else, from the step after the result on. */
export function nameNeed(kind: TextKind, sign: Sign): number {
  return NAMES_NEEDED[kind][sign] / 1_000;
}

/** The share of these uses that is still to come when so many steps have passed. */
export function namesAfter(age: number): number {
  return shareAfter(LATER_NAMES, age);
}

/** Edits of the lines of a result, from the step after it on. */
export function editNeed(kind: TextKind, tokens: number): number {
  return (EDITS[kind].find(([upTo]) => tokens < upTo)?.[1] ?? 0) / 100;
}

/** The chance that something of it is needed again, now that so many steps have passed. */
export function chanceOf({ names, edits }: Pick<Risk, "names" | "edits">, age: number): number {
  return 1 - Math.exp(-names * namesAfter(age) - edits * shareAfter(LATER_EDITS, age));
}

/** Between two ages of the table in proportion; the last holds for all beyond it. */
function shareAfter(table: readonly Faded[], age: number): number {
  let [steps, share] = table[0] ?? [1, 1];
  for (const [nextSteps, nextShare] of table) {
    if (age <= nextSteps) {
      const way = nextSteps === steps ? 1 : (Math.max(age, steps) - steps) / (nextSteps - steps);
      return share + (nextShare - share) * way;
    }
    [steps, share] = [nextSteps, nextShare];
  }
  return share;
}
