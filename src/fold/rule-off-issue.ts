import type { Issue } from "../basics/issue.ts";
import { countOf } from "../basics/numbers.ts";
import { missedTooMany, type Regret } from "../schedule/regrets.ts";

/**
 * Reports that a rule was switched off: its cuts were fetched again too often, or edits failed in files whose views
 * it had cut.
 */
export function ruleOffIssue(regret: Regret): Issue {
  const { rule, cuts, fetched, missedEdits } = regret;
  const why = missedTooMany(regret)
    ? `${countOf(missedEdits, "edit")} did not find the text to replace, in files whose views ${rule} had cut`
    : `the agent fetched ${fetched} of ${cuts} texts again that ${rule} had cut`;
  const message = `${why}: it makes no more cuts in this session`;
  return { code: "rule-off", message, where: rule, severity: "info" };
}
