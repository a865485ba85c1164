import type { JSX } from "preact";
import type { Issue } from "../../basics/issue.ts";
import { countOf } from "./format.ts";
import { useIsPrinting } from "./use-is-printing.ts";

const ISSUES_LISTED = 50;

/** Notes on the figures. */
export function IssueList({ issues }: { readonly issues: readonly Issue[] }): JSX.Element | null {
  const isPrinting = useIsPrinting();
  if (issues.length === 0) return null;
  return (
    <details class="panel issues" open={isPrinting}>
      <summary>
        <h2>{countOf(issues.length, "thing")} to know about these figures</h2>
      </summary>
      <ul>
        {issues.slice(0, ISSUES_LISTED).map(({ code, message, where, severity }, i) => (
          <li key={i}>
            <strong class={severity}>{severity}</strong> {message} <span class="note">{where ?? code}</span>
          </li>
        ))}
      </ul>
      {issues.length > ISSUES_LISTED && (
        <p class="note">and {countOf(issues.length - ISSUES_LISTED, "more")}.</p>
      )}
    </details>
  );
}
