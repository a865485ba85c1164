import type { Report } from "./report.ts";

/**
 * The newest report of a session with what was done before its host's compactions, each of which begins the messages
 * anew. A cut in what a compaction kept is in both, and counts once.
 */
export function joinReports(earlier: readonly Report[], newest: Report): Report {
  const reports = [...earlier, newest];
  const entries = new Map(
    reports.flatMap(({ edits }) =>
      edits.map((entry) => {
        const { edit } = entry;
        return [edit.type === "undo" ? `undo ${edit.target}` : edit.id, entry] as const;
      }),
    ),
  );
  const sum = (of: (bill: Report["bill"]) => number) => reports.reduce((all, { bill }) => all + of(bill), 0);
  const { dollars } = newest.bill;
  return {
    ...newest,
    edits: [...entries.values()],
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
