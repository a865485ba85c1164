import { profileFor } from "../../models/profile-for.ts";
import { trimByAge } from "./trim-by-age.ts";
import type { TrimOptions, TrimStrategy } from "./trim-options.ts";
import { trimWithPlaceholders } from "./trim-with-placeholders.ts";

export interface TrimConversationOptions extends Omit<TrimOptions, "targetTokens" | "summarizeDropped"> {
  /** Default: `priority-based`. */
  readonly strategy?: TrimStrategy;
  /** Tokens for the answer, if the model's window is the budget. Default: 4,096. */
  readonly reservedOutputTokens?: number;
}

const RESERVED_OUTPUT = 4_096;

/**
 * Trims messages to a target. The default target is the model's window, less room for the answer.
 *
 *   trimConversation(messages, 50_000)
 *   trimConversation(messages, undefined, { model: "claude-sonnet-4-5", strategy: "age-based" })
 *
 * Throws a `ContextOverflowError` if the text that must stay does not fit.
 */
export function trimConversation<M>(
  messages: readonly M[],
  targetTokens: number | undefined,
  options: TrimConversationOptions = {},
): M[] {
  const { strategy = "priority-based", reservedOutputTokens = RESERVED_OUTPUT, ...rest } = options;
  const budget = targetTokens ?? budgetFor(options.model, reservedOutputTokens);
  const trim = strategy === "age-based" ? trimByAge : trimWithPlaceholders;
  return trim(messages, { ...rest, targetTokens: budget }).messages;
}

function budgetFor(model: string | undefined, reservedOutputTokens: number): number {
  if (model === undefined) throw new TypeError("Give trimConversation a number of tokens, or a model.");
  return Math.max(0, profileFor(model).window - reservedOutputTokens);
}
