/** The rule by which a provider clears old results of a request itself, before the model sees them. Plain data. */
export interface ClearingRule {
  /** It clears if the request has more input tokens than this. */
  readonly aboveTokens?: number;
  /** Or if the request has more calls than this. */
  readonly aboveCalls?: number;
  /** The results of this many of the newest calls stay. */
  readonly keep: number;
  /** In tokens. If it can't clear this many, it clears nothing. */
  readonly least?: number;
  /** Tools whose results stay. */
  readonly spared?: readonly string[];
  /** Also clears the inputs of these calls: of all, or of these tools. */
  readonly inputs?: true | readonly string[];
}

/** Rules are stored for every request. No client names more tools. */
const MOST_NAMES = 200;
const LONGEST_NAME = 200;

export const CLEARING_RULE_SHAPE = "{ aboveTokens or aboveCalls, keep, least?, spared?, inputs? }";

export function isClearingRule(value: unknown): value is ClearingRule {
  if (typeof value !== "object" || value === null) return false;
  const { aboveTokens, aboveCalls, keep, least, spared, inputs } = value as Readonly<Record<string, unknown>>;
  return (
    (isCount(aboveTokens) || aboveTokens === undefined) &&
    (isCount(aboveCalls) || aboveCalls === undefined) &&
    (aboveTokens === undefined) !== (aboveCalls === undefined) &&
    isCount(keep) &&
    (least === undefined || isCount(least)) &&
    (spared === undefined || isNames(spared)) &&
    (inputs === undefined || inputs === true || isNames(inputs))
  );
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function isNames(value: unknown): value is readonly string[] {
  return (
    Array.isArray(value) &&
    value.length <= MOST_NAMES &&
    value.every((name) => typeof name === "string" && name.length <= LONGEST_NAME)
  );
}
