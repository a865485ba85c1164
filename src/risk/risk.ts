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

/** How often text that a cut removes is expected to be needed again. */
export interface Risk {
  readonly kind: TextKind;
  /** Tokens of the whole result. */
  readonly tokens: number;
  /** The step of the result. */
  readonly step: number;
  /** Expected uses of names that the cut removes, from the next step on. */
  readonly names: number;
  /** Expected edits of lines that the cut removes, from the next step on. */
  readonly edits: number;
  /** For views: the current state of their files. */
  readonly work?: () => WorkState;
}

/** Chances between 0 and 1. */
export interface Need {
  readonly names: number;
  readonly edits: number;
}

/** An estimate for a cut: how likely its text is needed again, and the cost of that. */
export interface PricedRisk {
  /** Between 0 and 1. */
  readonly chance: number;
  /** The average cost, in tokens of plain input: the chance times the price of fetching the text. */
  readonly price: number;
  /** The inputs of the estimate: what the text shows, its tokens, and the steps since it came. */
  readonly kind?: TextKind;
  readonly tokens?: number;
  readonly age?: number;
  /** For views: the state of their files. */
  readonly work?: WorkState;
  /** The share of such cuts that the agent has fetched again in this session. */
  readonly regret?: number;
}

/** Expected uses of a name that occurs nowhere else, from the step after the result on. */
export function nameNeed(kind: TextKind, sign: Sign): number {
  return NAMES_NEEDED[kind][sign] / 1_000;
}

/** The share of these uses that is still to come after this many steps. */
export function namesAfter(age: number): number {
  return shareAfter(NAMES_AFTER, age);
}

/** Expected edits of the lines of a result, from the step after it on. */
export function editNeed(kind: TextKind, tokens: number): number {
  return (EDITS[kind].find(([upTo]) => tokens < upTo)?.[1] ?? 0) / 100;
}

/**
 * The chances that a name, and a line to edit, are needed again after this many steps.
 *
 * @param worth the factor for the state of the work
 */
export function expectNeed({ names, edits }: Risk, age: number, worth: number): Need {
  return {
    names: 1 - Math.exp(-names * namesAfter(age)),
    edits: 1 - Math.exp(-edits * worth * shareAfter(EDITS_AFTER, age)),
  };
}

/** The factor for the chance that lines are edited, by the state of the work; 1 for anything but a view. */
export function worthOf(work: WorkState | undefined): number {
  return work === undefined ? 1 : WORK[work];
}

/** The smallest factor of all states of the work. */
export const LEAST_WORTH: number = Math.min(...Object.values(WORK));

/** Interpolates between two ages of the table; the last value holds for all later ages. */
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
