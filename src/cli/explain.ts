import type { Command } from "commander";
import { countOf } from "../basics/numbers.ts";
import type { FileEdit } from "../recordings/restore-file.ts";
import { Failure } from "./failure.ts";
import { formatCuts, formatDiff } from "./format-cuts.ts";
import { formatExamples, printJson } from "./help.ts";
import { type OpenCutsOptions, openCuts } from "./open-cuts.ts";
import type { Screen } from "./screen.ts";

interface ExplainOptions extends OpenCutsOptions {
  readonly raw?: true;
  readonly json?: true;
}

export function addExplain(command: Command, screen: Screen): void {
  command
    .argument("<file>", "a pruned session, or one that has not been pruned; - is standard input")
    .argument(
      "[ref]",
      "the six characters of a marker, or the first few of them; without it, the refs are listed",
    )
    .option("--restore-file <file>", "the restore file of the pruned session")
    .option("--preset <name>", "compact, balanced or verbose, for a session that has not been pruned")
    .option("--raw", "only the original text")
    .option("--redact", "mask secrets, addresses and home folders")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      formatExamples([
        ["coppice explain small.jsonl", "its refs, the largest cut first"],
        ["coppice explain small.jsonl a1b2c3", "the marker says a1b2c3"],
        ["coppice explain small.jsonl a1b2c3 --raw > original.txt", "the text itself"],
      ]),
    )
    .action((file: string, ref: string | undefined, options: ExplainOptions) =>
      explain(file, ref, options, screen),
    );
}

async function explain(
  file: string,
  ref: string | undefined,
  options: ExplainOptions,
  screen: Screen,
): Promise<void> {
  const { edits, made } = await openCuts(file, options, screen);
  if (ref === undefined) return listRefs(edits, made, options, screen);
  const found = edits.filter((edit) => edit.ref.startsWith(ref.toLowerCase()));
  if (found.length === 0) {
    const some = [...new Set(edits.map((edit) => edit.ref))].slice(0, 8).join(", ");
    const known =
      some === "" ? "nothing was cut in it" : `its first refs are ${some}; coppice explain ${file} lists all`;
    throw new Failure(`${file} has no cut ${ref}: ${known}.`);
  }
  if (options.raw && options.json) throw new Failure("--raw and --json can't be combined.", 2);
  if (options.raw) {
    screen.print(findOriginal(found, ref));
    return;
  }
  if (options.json) {
    screen.print(printJson({ made, edits: found }));
    return;
  }
  if (!made) screen.note(NOT_PRUNED);
  const text = formatDiff(found, screen.paint, Number.POSITIVE_INFINITY);
  screen.print(text);
}

function listRefs(
  edits: readonly FileEdit[],
  made: boolean,
  { raw, json }: ExplainOptions,
  screen: Screen,
): void {
  if (raw) throw new Failure("--raw shows the text of one cut: give its ref.", 2);
  if (!made && !json) screen.note(NOT_PRUNED);
  screen.print(json ? printJson({ made, edits }) : formatCuts(edits, screen.paint));
}

const NOT_PRUNED = "This session has not been pruned: this is what prune would do.";

/** The text of one edit. */
function findOriginal([edit, ...others]: readonly FileEdit[], ref: string): string {
  if (others.length === 0) return edit?.original ?? "";
  const refs = [edit, ...others].map((each) => each?.ref).join(", ");
  throw new Failure(`${countOf(others.length + 1, "ref")} start with ${ref}, and --raw shows one: ${refs}.`);
}
