import type { Issue } from "../basics/issue.ts";
import { countOf } from "../basics/numbers.ts";
import type { FileData } from "../page/index-data.ts";
import type { SessionFile } from "./find-sessions.ts";
import type { Screen } from "./screen.ts";
import type { TaskOutcome } from "./task.ts";

/**
 * The values of the tasks that worked. An unreadable file that the user named is reported: exit code 1. The same
 * problem in several files is reported once.
 */
export function collect(
  files: readonly SessionFile[],
  outcomes: readonly TaskOutcome[],
  screen: Screen,
): readonly unknown[] {
  let others = 0;
  const values: unknown[] = [];
  const failed = new Map<string, string[]>();
  for (const [i, outcome] of outcomes.entries()) {
    if (outcome.ok) values.push(outcome.value);
    else if (files[i]?.named || !hasNoSession(outcome.issue)) {
      const paths = failed.get(outcome.issue.message) ?? [];
      failed.set(outcome.issue.message, paths);
      paths.push(outcome.issue.where ?? files[i]?.path ?? "");
    } else others++;
  }
  for (const [message, [first, ...rest]] of failed) {
    process.exitCode = 1;
    const more = rest.length === 0 ? "" : ` and ${countOf(rest.length, "other file")}`;
    screen.note(screen.paintNote.red(`${first}${more}: ${message}`));
  }
  if (others > 0) screen.note(screen.paintNote.dim(`${countOf(others, "file")} without a session, skipped`));
  return values;
}

/** The files without a session, and why. */
export function listFailed(
  files: readonly SessionFile[],
  outcomes: readonly TaskOutcome[],
): readonly FileData[] {
  return outcomes.flatMap((outcome, i) => {
    if (outcome.ok) return [];
    const { code, message } = outcome.issue;
    const why =
      code === "not-a-recording"
        ? "not a recorded session that Coppice can read"
        : code === "empty-input"
          ? "the file is empty"
          : message;
    return [{ path: files[i]?.path ?? "", why, isOther: hasNoSession(outcome.issue) }];
  });
}

/** A folder may also contain other files, and sessions that were never begun: this is not an error. */
export function hasNoSession({ code }: Issue): boolean {
  return code === "not-a-recording" || code === "empty-input";
}

/** Reports how much of the sessions could not be read. */
export function noteSkipped(sessions: readonly { readonly skipped: number }[], screen: Screen): void {
  const skipped = sessions.reduce((sum, session) => sum + session.skipped, 0);
  if (skipped > 0)
    screen.note(screen.paintNote.yellow(`${countOf(skipped, "record")} cut off or unreadable, skipped`));
}
