import type { Command } from "commander";
import { restoreRecordingText } from "../recordings/restore-file.ts";
import { Failure } from "./failure.ts";
import { formatExamples, printJson } from "./help.ts";
import { readInput, STANDARD, unwrap } from "./input.ts";
import { encodeOutput, writeOutput } from "./output.ts";
import { findRestoreFile, listPlaces } from "./restore-files.ts";
import type { Screen } from "./screen.ts";

interface RestoreOptions {
  readonly restoreFile?: string;
  readonly output?: string;
  readonly json?: true;
}

export function addRestore(command: Command, screen: Screen): void {
  command
    .argument("<pruned>", "what coppice prune wrote; - is standard input")
    .option(
      "--restore-file <file>",
      "the restore file; without it, the one beside the file or the one stored for its content",
    )
    .option("-o, --output <file>", "the file to write the original to; default: standard output")
    .option("--json", "print what was restored as JSON; needs -o")
    .addHelpText(
      "after",
      formatExamples([
        ["coppice restore small.jsonl -o session.jsonl", "with small.jsonl.restore.json"],
        [
          "coppice restore small.jsonl --restore-file l.json > session.jsonl",
          "with a restore file kept elsewhere",
        ],
        ["coppice prune a.jsonl | coppice restore - | cmp - a.jsonl", "there and back again"],
      ]),
    )
    .action((file: string, options: RestoreOptions) => restore(file, options, screen));
}

async function restore(
  file: string,
  { restoreFile: named, output, json }: RestoreOptions,
  screen: Screen,
): Promise<void> {
  if (json && (output ?? STANDARD) === STANDARD)
    throw new Failure("--json and the session can't both go to standard output: add -o.", 2);
  const { text, packed } = await readInput(file);
  const restoreFile = await findRestoreFile(text, file, named);
  if (!restoreFile) {
    const places = listPlaces(text, file).map((place) => `\n  ${place}`);
    throw new Failure(
      `No restore file was found for ${file}. Coppice looked for one with this content at:${places.join("")}\nName it: coppice restore ${file} --restore-file <file>`,
    );
  }
  const restored = unwrap(restoreRecordingText(text, restoreFile));
  await writeOutput(output, await encodeOutput(output, { text: restored, packed }, file));
  if (json)
    screen.print(printJson({ file, output, edits: restoreFile.edits.length, characters: restored.length }));
}
