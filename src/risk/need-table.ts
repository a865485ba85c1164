import type { WorkState } from "../facts/work.ts";
import type { ToolUse } from "../tool-kinds/tool-use.ts";

/** What a result shows, as far as that tells whether it is needed again. */
export type TextKind = "view" | "search" | "run" | "git" | "other";

/** Signs of use: was something in this line named, or in one of the two lines before and behind it? */
export type Sign = "named" | "beside" | "none";

export function kindOfText({ kind, shows }: ToolUse): TextKind {
  if (kind === "read" || shows === "file") return "view";
  if (kind === "search" || kind === "list" || shows === "matches" || shows === "files") return "search";
  if (shows?.startsWith("git")) return "git";
  return kind === "shell" ? "run" : "other";
}

/**
 * Of 1,000 names that stand in one result and nowhere else, so many are used again after the step that saw them.
 * Counted on half a of the development sessions (`npm run bench:risk`); kinds with few names have the mean of all.
 */
export const NAMES_NEEDED: Readonly<Record<TextKind, Readonly<Record<Sign, number>>>> = {
  view: { named: 24, beside: 28, none: 14 },
  search: { named: 17, beside: 13, none: 8 },
  run: { named: 9, beside: 17, none: 2 },
  git: { named: 12, beside: 12, none: 12 },
  other: { named: 12, beside: 12, none: 12 },
};

/** For views: how much more or less often than on average their lines are edited, by where their files stand. */
export const WORK: Readonly<Record<WorkState, number>> = {
  planned: 1.85,
  mentioned: 1.4,
  unnamed: 0.55,
  changing: 1.15,
  resting: 0.73,
  left: 0.4,
};

/** Of 100 results up to so many tokens, so often are lines edited that stand in no newer text. */
export const EDITS: Readonly<Record<TextKind, readonly Sized[]>> = {
  view: [
    [300, 10],
    [800, 14],
    [1_500, 27],
    [3_000, 33],
    [8_000, 53],
    [Number.POSITIVE_INFINITY, 91],
  ],
  search: [
    [800, 5],
    [Number.POSITIVE_INFINITY, 19],
  ],
  run: [
    [300, 1],
    [Number.POSITIVE_INFINITY, 6],
  ],
  git: [
    [800, 1],
    [Number.POSITIVE_INFINITY, 30],
  ],
  other: [
    [300, 4],
    [Number.POSITIVE_INFINITY, 35],
  ],
};

type Sized = readonly [upTo: number, times: number];

/** Of all these uses, the share that comes this many steps after the result, or later. */
export const LATER_NAMES: readonly Faded[] = [
  [1, 1],
  [2, 0.9],
  [3, 0.78],
  [5, 0.69],
  [8, 0.57],
  [12, 0.43],
  [20, 0.28],
  [30, 0.18],
  [50, 0.12],
  [80, 0.06],
];
export const LATER_EDITS: readonly Faded[] = [
  [1, 1],
  [2, 0.84],
  [3, 0.72],
  [5, 0.61],
  [8, 0.5],
  [12, 0.38],
  [20, 0.25],
  [30, 0.19],
  [50, 0.12],
  [80, 0.05],
];

export type Faded = readonly [steps: number, share: number];
