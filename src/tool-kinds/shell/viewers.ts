import { makeRange } from "../line-range.ts";
import type { LineRange } from "../tool-use.ts";
import { parseOptions, type ShellOption } from "./parse-options.ts";
import type { ShellWord } from "./shell-command.ts";

/** The arguments of a viewer, a program that only shows files. */
export interface ViewerUse {
  readonly operands: readonly ShellWord[];
  /** Lines of each operand, or of the input if there is no operand; empty: all lines. */
  readonly lines: readonly LineRange[];
  /** It treats several operands as one stream: line numbers continue from file to file. */
  readonly joins?: true;
}

/** How to read a viewer's arguments; `undefined` if they ask for more than showing lines. */
export const viewers: ReadonlyMap<string, (args: readonly ShellWord[]) => ViewerUse | undefined> = new Map([
  ["cat", showAll],
  ["less", showAll],
  ["more", showAll],
  ["nl", showNumbered],
  ["bat", showBat],
  ["batcat", showBat],
  ["head", showHead],
  ["tail", showTail],
  ["sed", showSed],
]);

function showAll(args: readonly ShellWord[]): ViewerUse | undefined {
  const { operands } = parseOptions(args);
  return operands.some(({ text }) => text.startsWith("+")) ? undefined : { operands, lines: [] };
}

function showNumbered(args: readonly ShellWord[]): ViewerUse {
  const { operands } = parseOptions(args, { withValue: [..."bdfhilnsvw"] });
  return { operands, lines: [], joins: true };
}

function showBat(args: readonly ShellWord[]): ViewerUse | undefined {
  const withValue = ["r", "line-range", "l", "language", "style", "theme", "paging", "color", "tabs"];
  const { options, operands } = parseOptions(args, { withValue });
  const lines: LineRange[] = [];
  for (const { name, value = "" } of options) {
    if (name !== "r" && name !== "line-range") continue;
    const [, from, to] = /^(\d*):(\d*)$/.exec(value) ?? [];
    const range = from === undefined ? undefined : makeRange(toNumber(from), toNumber(to));
    if (!range) return undefined;
    lines.push(range);
  }
  return { operands, lines };
}

function showHead(args: readonly ShellWord[]): ViewerUse | undefined {
  const { options, operands } = parseOptions(args, { withValue: ["n", "lines", "c", "bytes"] });
  const count = countLines(options, "qv");
  return count && /^\d+$/.test(count) ? { operands, lines: [{ from: 1, to: Number(count) }] } : undefined;
}

function showTail(args: readonly ShellWord[]): ViewerUse | undefined {
  const { options, operands } = parseOptions(args, { withValue: ["n", "lines", "c", "bytes"] });
  const count = countLines(options, "qv");
  if (!count || !/^[+-]?[1-9]\d*$/.test(count)) return undefined;
  if (!count.startsWith("+")) return { operands, lines: [{ from: -Math.abs(Number(count)) }] };
  const range = makeRange(Number(count), undefined);
  return { operands, lines: range ? [range] : [] };
}

/** The number of lines that `head` or `tail` should show; `undefined` for any other use. */
function countLines(options: readonly ShellOption[], harmless: string): string | undefined {
  let count: string | undefined = "10";
  for (const { name, value } of options) {
    if (name === "n" || name === "lines" || name === "#") count = value;
    else if (!harmless.includes(name)) return undefined;
  }
  return count;
}

/** `sed -n '1,80p'`, `sed -n '5p;10,+3p'`, `sed -ne '$p'`; `undefined` for a script that does more than print lines. */
function showSed(args: readonly ShellWord[]): ViewerUse | undefined {
  const { options, operands } = parseOptions(args, { withValue: ["e", "expression", "f", "file"] });
  const scripts: string[] = [];
  let quiet = false;
  for (const { name, value } of options) {
    if (name === "n" || name === "quiet" || name === "silent") quiet = true;
    else if ((name === "e" || name === "expression") && value !== undefined) scripts.push(value);
    else if (!["E", "r", "s", "u"].includes(name)) return undefined;
  }
  const files = scripts.length > 0 ? operands : operands.slice(1);
  const script = scripts.length > 0 ? scripts.join(";") : operands[0]?.text;
  if (!quiet || script === undefined) return undefined;
  const lines: LineRange[] = [];
  for (const part of script.split(/[;\n]/).filter((piece) => piece.trim() !== "")) {
    const range = readAddress(part.trim());
    if (!range) return undefined;
    lines.push(range);
  }
  return lines.length === 0 ? undefined : { operands: files, lines, joins: true };
}

function readAddress(part: string): LineRange | undefined {
  const [, from, plus, to] = /^(\d+|\$)(?:\s*,\s*(\+?)(\d+|\$))?\s*p$/.exec(part) ?? [];
  if (from === undefined) return undefined;
  if (from === "$") return to === undefined ? { from: -1 } : undefined;
  const first = Math.max(1, Number(from));
  if (to === undefined) return { from: first, to: first };
  if (to === "$") return { from: first };
  return { from: first, to: Math.max(first, plus ? first + Number(to) : Number(to)) };
}

function toNumber(digits: string | undefined): number | undefined {
  return digits ? Number(digits) : undefined;
}
