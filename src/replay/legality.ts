import type { Issue } from "../basics/issue.ts";
import type { Format } from "../formats/format.ts";
import type { ModelProfile, ReasoningRule } from "../models/profile.ts";
import type { CommonPrefix, SentMessage } from "./sent-view.ts";

/** The rules of a model's provider beyond those of the format. */
export type ModelRules = Pick<ModelProfile, "reasoning" | "userAfterResult">;

/** The errors that the provider would report for a view but not for the unpruned request. */
export function listNewIssues(
  format: Format,
  view: readonly unknown[],
  unpruned: readonly unknown[],
  rules: ModelRules,
): readonly Issue[] {
  if (view.length === unpruned.length && view.every((message, i) => message === unpruned[i])) return [];
  const issues = validate(format, view, rules);
  if (issues.length === 0) return issues;
  const known = new Map<string, number>();
  for (const issue of validate(format, unpruned, rules))
    known.set(nameOf(issue), (known.get(nameOf(issue)) ?? 0) + 1);
  return issues.filter((issue) => {
    const left = known.get(nameOf(issue)) ?? 0;
    known.set(nameOf(issue), left - 1);
    return left <= 0;
  });
}

function validate(format: Format, view: readonly unknown[], rules: ModelRules): readonly Issue[] {
  const issues = format.validate(view, rules.reasoning);
  return rules.userAfterResult ? issues : [...issues, ...listUsersAfterResults(format, view)];
}

/** For providers that require an assistant message between a result and a user message. */
function listUsersAfterResults(format: Format, view: readonly unknown[]): readonly Issue[] {
  const issues: Issue[] = [];
  let isBehindResult = false;
  for (const [i, message] of view.entries()) {
    for (const { kind, role } of format.decode(message).parts) {
      if (kind === "marker") continue;
      if (isBehindResult && kind !== "result" && role === "user")
        issues.push({
          code: "role-order",
          message: "A user message comes directly after a result.",
          where: `messages/${i}`,
          severity: "error",
        });
      isBehindResult = kind === "result";
    }
  }
  return issues;
}

/** Without the place, which changes when messages are dropped. */
function nameOf({ code, message }: Issue): string {
  return `${code} ${message}`;
}

/**
 * Reasoning that is bound to the exact text before it and comes after a change. No single view shows this, so it is
 * reported once, at the request that makes the reasoning invalid.
 */
export function listVoidReasoning(
  view: readonly SentMessage[],
  common: CommonPrefix,
  rule: ReasoningRule,
): readonly Issue[] {
  if (rule !== "bound") return [];
  const issues: Issue[] = [];
  for (let i = common.messages; i < view.length; i++) {
    const { parts = [] } = view[i]?.decoded ?? {};
    const changed = i === common.messages ? parts.slice(common.parts) : parts;
    if (!changed.some((part) => part.kind === "reasoning" && part.signed)) continue;
    const message =
      "Reasoning is bound to the text before it, which was cut after the reasoning had been sent.";
    issues.push({ code: "reasoning-order", message, where: `messages/${i}`, severity: "error" });
  }
  return issues;
}
