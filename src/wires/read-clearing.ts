import { isRecord } from "../basics/json.ts";
import { type ClearingRule, isClearingRule } from "../transcript/clearing-rule.ts";

/** Defaults for requests that don't set them. */
const TRIGGER_TOKENS = 100_000;
const KEPT_CALLS = 3;

/**
 * The rule by which a request asks the provider to clear old results; `undefined` if it does not ask, or in a form
 * that we do not know.
 *
 *   { edits: [{ type: "clear_tool_uses_20250919", keep: { type: "tool_uses", value: 5 } }] }
 *   ->  { aboveTokens: 100_000, keep: 5 }
 */
export function readClearing(management: unknown): ClearingRule | undefined {
  const edits = isRecord(management) && Array.isArray(management.edits) ? management.edits : [];
  const edit: unknown = edits.find(
    (each) => isRecord(each) && typeof each.type === "string" && each.type.startsWith("clear_tool_uses_"),
  );
  if (!isRecord(edit)) return undefined;
  const { trigger, keep, clear_at_least: least, exclude_tools: spared, clear_tool_inputs: inputs } = edit;
  const rule = {
    ...readTrigger(trigger),
    keep: isNothing(keep) ? KEPT_CALLS : amountOf(keep, "tool_uses"),
    ...(!isNothing(least) && { least: amountOf(least, "input_tokens") }),
    ...(!isNothing(spared) && { spared }),
    ...(!isNothing(inputs) && inputs !== false && { inputs }),
  };
  return isClearingRule(rule) ? rule : undefined;
}

function readTrigger(trigger: unknown): { readonly aboveTokens?: unknown; readonly aboveCalls?: unknown } {
  if (isNothing(trigger)) return { aboveTokens: TRIGGER_TOKENS };
  const calls = amountOf(trigger, "tool_uses");
  return calls === undefined ? { aboveTokens: amountOf(trigger, "input_tokens") } : { aboveCalls: calls };
}

function amountOf(value: unknown, type: string): unknown {
  return isRecord(value) && value.type === type ? value.value : undefined;
}

function isNothing(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}
