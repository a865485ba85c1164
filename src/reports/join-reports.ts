import type { LedgerEntry } from "../edits/ledger.ts";
import { addWork } from "../facts/work-counts.ts";
import type { Report } from "./report.ts";

/**
 * The newest report of a session, with the reports from before the host's compactions, each of which starts a new
 * message list. Lists active edits only. A cut in text that a compaction kept is in both reports, and counts once.
 */
export function joinReports(earlier: readonly Report[], newest: Report): Report {
  const reports = [...earlier, newest];
  const sum = (of: (bill: Report["bill"]) => number) => reports.reduce((all, { bill }) => all + of(bill), 0);
  const { dollars } = newest.bill;
  return {
    ...newest,
    edits: listActive(reports),
    work: { newest: newest.work.newest, session: addWork(reports.map(({ work }) => work.session)) },
    bill: {
      newest: newest.bill.newest,
      with: sum((bill) => bill.with),
      without: sum((bill) => bill.without),
      breaks: sum((bill) => bill.breaks),
      ...(dollars && {
        dollars: {
          with: sum((bill) => bill.dollars?.with ?? 0),
          without: sum((bill) => bill.dollars?.without ?? 0),
        },
      }),
    },
  };
}

/** Ids start again after a compaction, so the text and the author identify the same cut in two reports. */
function listActive(reports: readonly Report[]): readonly LedgerEntry[] {
  const active = new Map<string, LedgerEntry>();
  for (const { edits } of reports) {
    const names = new Map<string, string>();
    for (const entry of edits) {
      const { edit } = entry;
      if (edit.type === "undo") active.delete(names.get(edit.target) ?? "");
      else {
        const name = `${edit.ref} ${edit.author}`;
        names.set(edit.id, name);
        active.set(name, entry);
      }
    }
  }
  return [...active.values()];
}
