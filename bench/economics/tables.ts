import { basename } from "node:path";
import { formatReplayTable, summarizeReplays } from "../../src/replay/index.ts";
import type { Options } from "./options.ts";
import type { SessionFigures } from "./replay-session.ts";

export function formatReport(sessions: readonly SessionFigures[], options: Options): string {
  const names = sessions[0]?.totals.map(({ policy }) => policy) ?? [];
  const rows = names.map((name, i) =>
    summarizeReplays(
      name,
      sessions.flatMap(({ totals }) => totals[i] ?? []),
    ),
  );
  const lines = [
    `${sessions.length} sessions of ${options.least} requests or more`,
    "",
    formatReplayTable(rows),
  ];
  if (options.bySession)
    for (const { file, totals } of sessions)
      lines.push(
        "",
        basename(file),
        formatReplayTable(totals.map((total) => summarizeReplays(total.policy, [total]))),
      );
  return lines.join("\n");
}
