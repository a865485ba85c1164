import type { WorkState } from "../facts/task-files.ts";
import {
  EDITS,
  type Faded,
  LATER_EDITS,
  LATER_NAMES,
  NAMES_NEEDED,
  type Sign,
  type TextKind,
  WORK,
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
  /** For views: where their files stand in the work by now. */
  readonly work?: () => WorkState;
}

/** Chances between 0 and 1. */
export interface Need {
  readonly names: number;
  readonly edits: number;
}

/** What is reckoned of a cut: how likely its text is needed again, and what that would cost. */
export interface PricedRisk {
  /** Between 0 and 1. */
  readonly chance: number;
  /** What it costs on average, in tokens of plain input: the chance times the price of fetching the text. */
  readonly price: number;
  /** What the chance was looked up by: what the text shows, its tokens, and the steps since it came. */
  readonly kind?: TextKind;
  readonly tokens?: number;
  readonly age?: number;
  /** For views: where their files stood in the work. */
  readonly work?: WorkState;
  /** The share of such cuts that the agent has fetched again in this session. */
  readonly regret?: number;
}

/** Uses of a name that stands nowhere else, from the step after the result on. */
export function nameNeed(kind: TextKind, sign: Sign): number {
  return NAMES_NEEDED[kind][sign] / 1_000;
}

/** The share of these uses that is still to come when so many steps have passed. */
export function namesAfter(age: number): number {
  return shareAfter(NAMES_AFTER, age);
}

/** Edits of the lines of a result, from the step after it on. */
export function editNeed(kind: TextKind, tokens: number): number {
  return (EDITS[kind].find(([upTo]) => tokens < upTo)?.[1] ?? 0) / 100;
}

/**
 * The chance that a name, and that a line to edit, is needed again, now that so many steps have passed.
 *
 * @param worth how the state of the work changes the chance
 */
export function expectNeed({ names, edits }: Risk, age: number, worth: number): Need {
  return {
    names: 1 - Math.exp(-names * namesAfter(age)),
    edits: 1 - Math.exp(-edits * worth * shareAfter(EDITS_AFTER, age)),
  };
}

/** How the state of the work changes the chance that lines are edited; 1 for what is not a view. */
export function worthOf(work: WorkState | undefined): number {
  return work === undefined ? 1 : WORK[work];
}

/** Of all states of the work. */
export const LEAST_WORTH: number = Math.min(...Object.values(WORK));

/** Between two ages of the table in proportion; the last holds for all beyond it. */
function shareAfter(shares: readonly number[], age: number): number {
  return shares[Math.min(Math.max(0, age), shares.length - 1)] ?? 0;
}

/** The share for every age from 0 to the last of the table. */
function listShares(table: readonly Faded[]): readonly number[] {
  const last = table.at(-1)?.[0] ?? 0;
  return Array.from({ length: last + 1 }, (_, age) => {
    const next = table.findIndex(([steps]) => steps >= age);
    const [steps, share] = table[next] ?? [age, 0];
    const [stepsBefore, shareBefore] = table[next - 1] ?? [steps, share];
    if (steps === stepsBefore) return share;
    return shareBefore + ((share - shareBefore) * (age - stepsBefore)) / (steps - stepsBefore);
  });
}

const NAMES_AFTER: readonly number[] = listShares(LATER_NAMES);
const EDITS_AFTER: readonly number[] = listShares(LATER_EDITS);
