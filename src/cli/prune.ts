import type { Command } from "commander";
import { countOf, formatNumber } from "../basics/numbers.ts";
import type { ShakeLevel } from "../recordings/cut-at-end.ts";
import { redactRecording } from "../recordings/redact-recording.ts";
import { redactValue } from "../redaction/redact.ts";
import { Failure } from "./failure.ts";
import { formatCuts } from "./format-cuts.ts";
import { formatExamples, printJson } from "./help.ts";
import { readInput, STANDARD, unwrap } from "./input.ts";
import { encodeOutput, writeFiles, writeOutput } from "./output.ts";
import { parseTokens } from "./parse-count.ts";
import { type PrunedText, pruneText } from "./prune-text.ts";
import { formatRestoreFile, placeRestoreFile, refuseToOverwrite } from "./restore-files.ts";
import type { Screen } from "./screen.ts";
import { readSettings } from "./settings.ts";

interface PruneOptions {
  readonly preset?: string;
  readonly budget?: number;
  readonly shake?: string;
  readonly explain?: true;
  readonly output?: string;
  readonly restoreFile?: string;
  readonly dryRun?: true;
  readonly redact?: true;
  readonly json?: true;
}

export function addPrune(command: Command, screen: Screen): void {
  command
    .argument("<file>", "a session, plain or gzip; - is standard input")
    .option("--preset <name>", "compact, balanced or verbose")
    .option("--budget <tokens>", "the most tokens that the messages may have, such as 50k", parseTokens)
    .option("--shake [level]", "also remove large results and blocks; aggressive also removes recent results")
    .option("--explain", "say what was cut and why, on standard error")
    .option("-o, --output <file>", "the file to write the pruned session to; default: standard output")
    .option(
      "--restore-file <file>",
      "the file to write what was cut to, for restore; default: next to the output",
    )
    .option("--dry-run", "only show the cuts")
    .option(
      "--redact",
      "mask secrets, addresses and home folders first, in the session and in its restore file",
    )
    .option("--json", "print what was cut as JSON; needs -o or --dry-run")
    .addHelpText(
      "after",
      formatExamples([
        ["coppice prune session.jsonl -o small.jsonl", "also writes small.jsonl.restore.json"],
        ["coppice prune session.jsonl --dry-run", "what would be cut, and why"],
        ["coppice prune session.jsonl --budget 50k -o small.jsonl", "until it fits"],
        ["cat messages.json | coppice prune - > small.json", "in a pipe"],
      ]),
    )
    .action((file: string, options: PruneOptions) => prune(file, options, screen));
}

async function prune(file: string, options: PruneOptions, screen: Screen): Promise<void> {
  const { output, budget, dryRun, json } = options;
  if (json && !dryRun && (output ?? STANDARD) === STANDARD)
    throw new Failure(
      "--json and the pruned session can't both go to standard output: add -o or --dry-run.",
      2,
    );
  const shake = readShakeLevel(options.shake);
  const settings = readSettings(screen, options.preset);
  const input = await readInput(file);
  const text = options.redact ? redactRecording(input.text).text : input.text;
  if (text.length > LARGE) screen.status(`pruning ${formatNumber(text.length / 1e6)} MB …`);
  const pruned = unwrap(
    pruneText(text, {
      name: file === STANDARD ? "standard input" : file,
      settings,
      ...(budget !== undefined && { budget }),
      ...(shake && { shake }),
    }),
  );
  screen.status("");
  const restoreFile = dryRun
    ? undefined
    : (options.restoreFile ?? placeRestoreFile(output, pruned.restoreFile));
  if (restoreFile !== undefined) {
    await refuseToOverwrite(restoreFile, text);
    const content = await encodeOutput(output, { text: pruned.text, packed: input.packed }, file);
    const isFile = output !== undefined && output !== STANDARD;
    await writeFiles(async (put) => {
      await put(restoreFile, formatRestoreFile(pruned.restoreFile), 0o600);
      if (isFile) await put(output, content);
    }, "Choose other places with -o and --restore-file.");
    if (!isFile) await writeOutput(output, content);
  }
  tell(pruned, file, options, restoreFile, screen);
  if (budget !== undefined && pruned.tokens.after > budget) {
    const over = `${formatNumber(pruned.tokens.after)} tokens are left, more than the budget of ${formatNumber(budget)}`;
    throw new Failure(
      `${over}: the rest is protected, or was written by people and the agent. Try --shake=aggressive or --preset compact.`,
    );
  }
}

/** In characters. Pruning a larger file takes a while. */
const LARGE = 4_000_000;

function readShakeLevel(level: string | undefined): ShakeLevel | undefined {
  if (level === undefined || level === "usual" || level === "aggressive") return level;
  throw new Failure(`--shake takes no value, or "aggressive"; not ${JSON.stringify(level)}.`, 2);
}

function tell(
  pruned: PrunedText,
  file: string,
  options: PruneOptions,
  restoreFile: string | undefined,
  screen: Screen,
): void {
  const { output, json, dryRun, explain } = options;
  const {
    report,
    restoreFile: { edits },
  } = pruned;
  if (json) {
    const { issues, ...figures } = report;
    const { tokens, fileTokens, segments } = pruned;
    const summary = {
      file,
      output,
      restoreFile,
      tokens,
      fileTokens,
      segments,
      ...figures,
      edits,
      issues,
    };
    screen.print(printJson(options.redact ? redactValue(summary) : summary));
    return;
  }
  const saved = formatSavings(pruned);
  const broken = report.issues.filter(({ code }) => code === "broken-line");
  for (const { severity, code, message } of report.issues)
    if (severity !== "info" && code !== "broken-line") screen.note(screen.paintNote.yellow(message));
  if (broken.length > 0)
    screen.note(
      screen.paintNote.yellow(
        `${countOf(broken.length, "line")} cut off or not JSON, left unchanged in the file; the first: ${broken[0]?.where}`,
      ),
    );
  if (dryRun) screen.print(`${formatCuts(edits, screen.paint)}${saved}\n`);
  else {
    if (explain) screen.note(formatCuts(edits, screen.paintNote).trimEnd());
    screen.note(`${saved}. coppice restore undoes this, with the restore file ${restoreFile}`);
  }
  if (report.uncut) screen.note(report.uncut.message);
  if (report.left > 0)
    screen.note(`${countOf(report.left, "edit")} skipped: the file does not store that text on its own`);
}

/**
 * For a compacted session both: the whole file, and the part that is still sent.
 *
 *   74 edits: 95,188 tokens before, 27,042 after
 *   91 edits in 3 segments: 301,220 tokens in the file before, 180,411 after; 40,100 tokens before in the next request, 21,007 after
 */
function formatSavings({ restoreFile, tokens, fileTokens, segments }: PrunedText): string {
  const edits = countOf(restoreFile.edits.length, "edit");
  const [before, after] = [formatNumber(tokens.before), formatNumber(tokens.after)];
  if (segments < 2) return `${edits}: ${before} tokens before, ${after} after`;
  const file = `${formatNumber(fileTokens.before)} tokens in the file before, ${formatNumber(fileTokens.after)} after`;
  return `${edits} in ${segments} segments: ${file}; ${before} tokens before in the next request, ${after} after`;
}
