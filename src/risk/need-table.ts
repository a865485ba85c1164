import type { WorkState } from "../facts/task-files.ts";
import type { ToolUse } from "../tool-kinds/tool-use.ts";

/** What a result shows, as far as this affects whether it is needed again. */
export type TextKind = "view" | "search" | "run" | "git" | "other";

/** Signs of use: was something in this line named, or in the two lines before or after it? */
export type Sign = "named" | "beside" | "none";

export function kindOfText({ kind, shows }: ToolUse): TextKind {
  if (kind === "read" || shows === "file") return "view";
  if (kind === "search" || kind === "list" || shows === "matches" || shows === "files") return "search";
  if (shows?.startsWith("git")) return "git";
  return kind === "shell" ? "run" : "other";
}

/**
 * How many of 1,000 names that occur in only one result are used again after the step that saw them. Measured on
 * half of the development sessions (`npm run bench:risk`); kinds with few names use the mean of all.
 */
export const NAMES_NEEDED: Readonly<Record<TextKind, Readonly<Record<Sign, number>>>> = {
  view: { named: 24, beside: 19, none: 14 },
  search: { named: 11, beside: 9, none: 7 },
  run: { named: 13, beside: 20, none: 8 },
  git: { named: 12, beside: 12, none: 12 },
  other: { named: 17, beside: 17, none: 17 },
};

/** For views: how much more or less often than average their lines are edited, by the state of their files. */
export const WORK: Readonly<Record<WorkState, number>> = {
  planned: 2.3,
  mentioned: 1.2,
  unnamed: 0.65,
  changing: 1,
  resting: 0.5,
  left: 0.3,
};

/** How often lines that occur in no newer text are edited, per 100 results with up to this many tokens. */
export const EDITS: Readonly<Record<TextKind, readonly Sized[]>> = {
  view: [
    [300, 11],
    [800, 15],
    [1_500, 26],
    [3_000, 31],
    [8_000, 47],
    [Number.POSITIVE_INFINITY, 83],
  ],
  search: [
    [800, 8],
    [Number.POSITIVE_INFINITY, 10],
  ],
  run: [
    [800, 1.5],
    [Number.POSITIVE_INFINITY, 7],
  ],
  git: [
    [800, 1],
    [Number.POSITIVE_INFINITY, 30],
  ],
  other: [
    [800, 14],
    [Number.POSITIVE_INFINITY, 27],
  ],
};

type Sized = readonly [upTo: number, times: number];

/** The share of these uses that comes this many steps after the result, or later. */
export const LATER_NAMES: readonly Faded[] = [
  [1, 1],
  [2, 0.88],
  [3, 0.77],
  [5, 0.65],
  [8, 0.53],
  [12, 0.4],
  [20, 0.26],
  [30, 0.17],
  [50, 0.1],
  [80, 0.04],
];
export const LATER_EDITS: readonly Faded[] = [
  [1, 1],
  [2, 0.77],
  [3, 0.65],
  [5, 0.53],
  [8, 0.42],
  [12, 0.33],
  [20, 0.21],
  [30, 0.14],
  [50, 0.11],
  [80, 0.06],
];

export type Faded = readonly [steps: number, share: number];
