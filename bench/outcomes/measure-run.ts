import { formatByName } from "../../src/formats/detect.ts";
import type { Recording } from "../../src/recordings/index.ts";
import type { Evidence, Replay, ReplayBench, ReplayTotals } from "../../src/replay/index.ts";
import { listTexts } from "../../src/replay/sent-view.ts";
import type { Part } from "../../src/transcript/part.ts";
import { changesFile, findCommands } from "./find-commands.ts";
import type { Hunk } from "./read-patch.ts";

/** How much of what a run's final patch replaced was in view when it was replaced. */
export interface PatchFigures {
  readonly totals: ReplayTotals;
  /** Lines of the patch's old side that count, and those of them that were in view. */
  readonly lines: Evidence;
  /** Hunks with a line that counts, and those of them with all such lines in view. */
  readonly hunks: Evidence;
}

/** A hunk, the request whose answer makes it, and its lines that count. */
export interface PlacedHunk {
  readonly request: number;
  readonly lines: readonly string[];
}

/**
 * A hunk is made by the first answer with a command that changes its file and holds one of its changed lines. If no
 * command does (`sed -i '12,14d'`), it is the last answer that changes the file. Its old lines count if they occurred
 * before, first in a tool result or a user message, as for edit evidence.
 */
export function placeHunks(
  recording: Recording,
  { unpruned }: ReplayBench,
  hunks: readonly Hunk[],
): readonly PlacedHunk[] {
  const read = readParts(recording);
  const commands = unpruned.requests.map(({ segment, view }) =>
    findCommands(read(recording.segments[segment]?.messages[view.length])),
  );
  return hunks.flatMap(({ file, old, changed }): readonly PlacedHunk[] => {
    const request = findRequest(commands, file, changed);
    const view = unpruned.requests[request]?.view;
    if (!view) return [];
    const texts = view.flatMap((message) =>
      read(message).flatMap((part) => listTexts(part).map((text) => ({ text, isInput: isInput(part) }))),
    );
    const lines = [...new Set(old)].filter(
      (line) => texts.find(({ text }) => text.includes(line))?.isInput === true,
    );
    return lines.length > 0 ? [{ request, lines }] : [];
  });
}

function findRequest(
  commands: readonly (readonly string[])[],
  file: string,
  changed: readonly string[],
): number {
  const changing = commands.map((own) => own.filter((command) => changesFile(command, file)));
  const first = changing.findIndex((own) =>
    own.some((command) => changed.some((line) => command.includes(line.trim()))),
  );
  return first >= 0 ? first : changing.findLastIndex(({ length }) => length > 0);
}

/** Results, and what was said to the agent. */
function isInput({ kind, role }: Part): boolean {
  return kind === "result" || role === "user";
}

export function measurePatch(
  recording: Recording,
  placed: readonly PlacedHunk[],
  { requests, ...totals }: Replay,
): PatchFigures {
  const read = readParts(recording);
  const kept = placed.map(({ request, lines }) => {
    const texts = (requests[request]?.view ?? []).flatMap((message) => read(message).flatMap(listTexts));
    return lines.filter((line) => texts.some((text) => text.includes(line))).length;
  });
  return {
    totals,
    lines: { counted: add(placed.map(({ lines }) => lines.length)), kept: add(kept) },
    hunks: {
      counted: placed.length,
      kept: placed.filter(({ lines }, i) => kept[i] === lines.length).length,
    },
  };
}

function readParts({ format }: Recording): (message: unknown) => readonly Part[] {
  const { decode } = formatByName(format);
  return (message) => (message === undefined ? [] : decode(message).parts);
}

function add(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
