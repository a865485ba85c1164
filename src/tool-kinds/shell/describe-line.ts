import type { CommandWords, FileTouch, ResultContent, ToolUse } from "../tool-use.ts";
import { changesByLine, findChanges } from "./find-changes.ts";
import { findReads } from "./find-reads.ts";
import { findShown } from "./find-shown.ts";
import { isWriter } from "./is-writer.ts";
import { type LocatedCommand, locate } from "./locate.ts";
import type { ShellCommand } from "./shell-command.ts";

export interface LineUse {
  readonly files: readonly FileTouch[];
  readonly commands: readonly CommandWords[];
  readonly endsIn?: NonNullable<ToolUse["endsIn"]>;
  readonly shows?: ResultContent;
  readonly byLine?: true;
}

/** The effects of a parsed line that runs in `directory`. */
export function describeLine(parsed: readonly ShellCommand[], directory: string | undefined): LineUse {
  const { commands, endsIn } = locate(parsed, directory);
  const reads = findReads(commands);
  const shows = reads.length > 0 ? "file" : findShown(commands);
  return {
    files: withoutRepeats([...reads, ...findChanges(commands)]),
    commands: commands.map(toCommandWords),
    ...(endsIn ? { endsIn } : {}),
    ...(shows ? { shows } : {}),
    ...(commands.some(changesByLine) ? { byLine: true } : {}),
  };
}

function toCommandWords(command: LocatedCommand): CommandWords {
  const { words, joint, nested, directory, lost } = command;
  return {
    words: words.map(({ text }) => text),
    writes: isWriter(command),
    ...(joint === undefined ? {} : { joint }),
    ...(nested ? { nested } : {}),
    ...(lost || words.some(({ form }) => form === "dynamic") ? { dynamic: true } : {}),
    ...(directory === undefined ? {} : { directory }),
  };
}

function withoutRepeats(touches: readonly FileTouch[]): readonly FileTouch[] {
  return [...new Map(touches.map((touch) => [JSON.stringify(touch), touch])).values()];
}
