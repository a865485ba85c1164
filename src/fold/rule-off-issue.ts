import type { Issue } from "../basics/issue.ts";
import type { Regret } from "../schedule/regrets.ts";

/** A rule's cuts were fetched again too often. */
export function ruleOffIssue({ rule, cuts, fetched }: Regret): Issue {
  const message = `the agent fetched ${fetched} of ${cuts} texts again that ${rule} had cut: it makes no more cuts in this session`;
  return { code: "rule-off", message, where: rule, severity: "info" };
}
