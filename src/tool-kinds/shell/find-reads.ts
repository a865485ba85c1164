import { narrowRange } from "../line-range.ts";
import { normalizePath } from "../paths.ts";
import type { FileTouch, LineRange } from "../tool-use.ts";
import { isMove, type LocatedCommand } from "./locate.ts";
import { programOf } from "./shell-command.ts";
import { type ViewerUse, viewers } from "./viewers.ts";

/**
 * The files that a line shows, if it does nothing else.
 *
 *   cd src && sed -n 1,80p a.ts      ->  src/a.ts, lines 1–80
 *   nl -ba a.ts | head -n 20         ->  a.ts, lines 1–20
 *   cat a.ts && npm test             ->  nothing: the output is more than the file
 */
export function findReads(commands: readonly LocatedCommand[]): readonly FileTouch[] {
  const reads: FileTouch[] = [];
  for (const pipeline of splitPipelines(commands)) {
    const [first] = pipeline;
    if (first?.joint === "||" || first?.joint === "&") return [];
    if (pipeline.length === 1 && first && isMove(first)) continue;
    const shown = readPipeline(pipeline);
    if (!shown) return [];
    for (const touch of shown) reads.push(touch);
  }
  return reads;
}

function splitPipelines(commands: readonly LocatedCommand[]): readonly (readonly LocatedCommand[])[] {
  const pipelines: LocatedCommand[][] = [];
  for (const command of commands) {
    if (command.joint === "|") pipelines.at(-1)?.push(command);
    else pipelines.push([command]);
  }
  return pipelines;
}

function readPipeline([first, ...filters]: readonly LocatedCommand[]): readonly FileTouch[] | undefined {
  const view = first && viewOf(first);
  if (!first || !view || view.operands.length === 0) return undefined;
  if (view.joins && view.lines.length > 0 && view.operands.length > 1) return undefined;
  let lines: readonly (LineRange | undefined)[] = view.lines.length === 0 ? [undefined] : view.lines;
  for (const filter of filters) {
    const next = viewOf(filter);
    if (!next || next.operands.length > 0) return undefined;
    if (next.lines.length === 0) continue;
    const [outer, ...others] = lines;
    if (others.length > 0 || view.operands.length > 1) return undefined;
    const narrowed = next.lines.map((inner) => narrowRange(outer, inner));
    lines = narrowed.filter((range) => range !== "unknown");
    if (lines.length < narrowed.length) return undefined;
  }
  return view.operands.flatMap(({ text }) => {
    const path = normalizePath(text, first.directory);
    return lines.map((range): FileTouch => ({ path, operation: "read", ...(range ? { range } : {}) }));
  });
}

/**
 * The files that a command shows, if it is a viewer with only literal words that writes nowhere and reads only its
 * operands.
 */
function viewOf(command: LocatedCommand): ViewerUse | undefined {
  const { words, outputs, takesInput, nested, lost } = command;
  if (nested || lost || outputs.length > 0 || takesInput) return undefined;
  if (words.some(({ form }) => form !== "literal")) return undefined;
  const view = viewers.get(programOf(command))?.(words.slice(1));
  return view?.operands.some(({ text }) => text === "-" || text === "") ? undefined : view;
}
