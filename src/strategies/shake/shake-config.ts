import { type Field, type FieldChecks, readFields } from "../../basics/read-fields.ts";
import { showValue } from "../../basics/show-value.ts";
import { loadsSkill } from "../../tool-kinds/skill-file.ts";
import type { ToolUse } from "../../tool-kinds/tool-use.ts";
import type { CallPart, ResultPart } from "../../transcript/part.ts";

/**
 * Results that a shake leaves alone: a tool's name or a glob (see `matchNames`), or a predicate over the result,
 * its call and the meaning of the call; the last two are `undefined` for a result without its call.
 */
export type ProtectedToolMatcher =
  | string
  | ((result: ResultPart, call: CallPart | undefined, use: ToolUse | undefined) => boolean);

export interface ShakeConfig {
  /** This many of the newest tokens stay. A part that crosses the edge stays too. */
  readonly protectTokens: number;
  /** In tokens. If all regions together would save fewer, there are none. */
  readonly minSavings: number;
  /** In tokens. A smaller fenced or XML block stays. */
  readonly fenceMinTokens: number;
  readonly protectedTools: readonly ProtectedToolMatcher[];
}

const isSkill: ProtectedToolMatcher = (_result, _call, use) => use !== undefined && loadsSkill(use);

const PROTECTED_TOOLS: readonly ProtectedToolMatcher[] = ["skill", isSkill];

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

/** Also accepts Infinity, which no text reaches. */
const TOKENS: Field = {
  expected: "a number ≥ 0",
  fits: (value) => typeof value === "number" && value >= 0,
};

const SHAKE_FIELDS: FieldChecks<ShakeConfig> = {
  protectTokens: TOKENS,
  minSavings: TOKENS,
  fenceMinTokens: TOKENS,
  protectedTools: {
    expected: "a list of names, globs and predicates",
    fits: (value) =>
      Array.isArray(value) && value.every((each) => typeof each === "string" || typeof each === "function"),
  },
};

/**
 * The configuration with defaults for missing fields.
 *
 * @throws `TypeError` if a field is invalid
 */
export function fillShakeConfig(options: Partial<ShakeConfig>): ShakeConfig {
  const problems: string[] = [];
  if (typeof options !== "object" || options === null)
    problems.push(`expected an object, got ${showValue(options)}`);
  const fields = readFields(options, SHAKE_FIELDS, (problem) => problems.push(problem));
  if (problems.length > 0) throw new TypeError(`The configuration of a shake: ${problems.join("; ")}.`);
  return { ...DEFAULT_SHAKE_CONFIG, ...fields };
}

/**
 * Matchers for the tools that a configuration file names, and for recalls. `skill` includes all ways to load a
 * skill.
 */
export function protectTools(names: readonly string[]): readonly ProtectedToolMatcher[] {
  return names.includes("skill") ? [...names, isSkill] : names;
}
