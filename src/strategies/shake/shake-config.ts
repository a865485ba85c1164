import { loadsSkill } from "../../tool-kinds/skill-file.ts";
import type { ToolUse } from "../../tool-kinds/tool-use.ts";
import type { CallPart, ResultPart } from "../../transcript/part.ts";

/**
 * Which results a shake leaves alone: a tool's name or a glob (see `matchNames`), or a predicate over the result, its
 * call and what that call means; the last two are `undefined` for a result whose call is not there.
 */
export type ProtectedToolMatcher =
  | string
  | ((result: ResultPart, call: CallPart | undefined, use: ToolUse | undefined) => boolean);

export interface ShakeConfig {
  /** This many of the newest tokens stay. A part that straddles the edge stays too. */
  readonly protectTokens: number;
  /** Tokens. If all regions together would save fewer, there are none. */
  readonly minSavings: number;
  /** Tokens. A smaller fenced or XML block stays. */
  readonly fenceMinTokens: number;
  readonly protectedTools: readonly ProtectedToolMatcher[];
}

const isSkill: ProtectedToolMatcher = (_result, _call, use) => use !== undefined && loadsSkill(use);

/** What the agent has recalled is not cut again. */
const isRecalled: ProtectedToolMatcher = (_result, _call, use) =>
  use?.kind === "context" && use.partial === true;

const PROTECTED_TOOLS: readonly ProtectedToolMatcher[] = ["skill", isSkill, isRecalled];

export const DEFAULT_SHAKE_CONFIG: ShakeConfig = {
  protectTokens: 16_000,
  minSavings: 4_000,
  fenceMinTokens: 400,
  protectedTools: PROTECTED_TOOLS,
};

export const AGGRESSIVE_SHAKE_CONFIG: ShakeConfig = {
  ...DEFAULT_SHAKE_CONFIG,
  protectTokens: 0,
  minSavings: 0,
};

/** Matchers for the tools that a configuration file names, and for recalls. `skill` covers any way to load a skill. */
export function protectTools(names: readonly string[]): readonly ProtectedToolMatcher[] {
  return [...names, ...(names.includes("skill") ? [isSkill] : []), isRecalled];
}
