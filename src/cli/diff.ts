import type { Command } from "commander";
import { formatDiff } from "./format-cuts.ts";
import { formatExamples, printJson } from "./help.ts";
import { type OpenCutsOptions, openCuts } from "./open-cuts.ts";
import { parseCount } from "./parse-count.ts";
import type { Screen } from "./screen.ts";

interface DiffOptions extends OpenCutsOptions {
  readonly lines: number;
  readonly json?: true;
}

export function addDiff(command: Command, screen: Screen): void {
  command
    .argument("<file>", "a pruned session, or one that has not been pruned; - is standard input")
    .option("--restore-file <file>", "the restore file of the pruned session")
    .option("--preset <name>", "compact, balanced or verbose, for a session that has not been pruned")
    .option("--lines <n>", "number of lines to show of each text", parseCount, 12)
    .option("--redact", "mask secrets, addresses and home folders")
    .option("--json", "print JSON, with the full texts")
    .addHelpText(
      "after",
      formatExamples([
        ["coppice diff small.jsonl | less", "what was removed"],
        ["coppice diff session.jsonl --preset compact", "what that preset would remove"],
      ]),
    )
    .action((file: string, options: DiffOptions) => diff(file, options, screen));
}

async function diff(file: string, options: DiffOptions, screen: Screen): Promise<void> {
  const { edits, made } = await openCuts(file, options, screen);
  if (options.json) {
    screen.print(printJson({ made, edits }));
    return;
  }
  if (!made) screen.note("This session has not been pruned: this is what prune would do.");
  const text = formatDiff(edits, screen.paint, options.lines);
  screen.print(text);
}
