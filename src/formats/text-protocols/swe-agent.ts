import { parseLine } from "../../tool-kinds/shell/parse-line.ts";
import { findFences } from "./find-fences.ts";
import { findFunctionCall } from "./find-function-call.ts";
import type { TextCall, TextProtocol } from "./text-protocol.ts";

const OBSERVATION = "OBSERVATION:\n";
const PROMPT = "bash-$";

/**
 * SWE-agent, when it parses commands from text:
 *
 *   …```\nopen a.py 10\n```   |   [File: a.py …]\n(Open file: a.py)\n(Current directory: /src)\nbash-$
 *
 * Newer versions begin with `OBSERVATION:` and have no prompt at the end.
 */
export const sweAgent: TextProtocol = {
  read(texts, answer) {
    const [text = ""] = texts;
    const tail = findTail(text);
    const hasHead = text.startsWith(OBSERVATION);
    if (!tail && !hasHead) return [];
    const command = findFences(answer).at(-1)?.text;
    const call = command === undefined ? findFunctionCall(answer) : readCommand(command, tail?.openFile);
    if (!call) return [];
    const from = hasHead ? OBSERVATION.length : 0;
    return [{ call, text: 0, from, to: Math.max(from, tail?.at ?? text.length) }];
  },
};

/** The last three lines, if they are the prompt. */
function findTail(text: string): { readonly at: number; readonly openFile?: string } | undefined {
  const end = text.trimEnd();
  if (!end.endsWith(`\n${PROMPT}`)) return undefined;
  const directory = end.lastIndexOf("\n", end.length - PROMPT.length - 2);
  const file = end.lastIndexOf("\n", directory - 1);
  const line = end.slice(file + 1, Math.max(0, directory));
  if (!end.startsWith("(Current directory: ", directory + 1) || !line.startsWith("(Open file: "))
    return undefined;
  const name = line.slice("(Open file: ".length, -1);
  return { at: Math.max(0, file), ...(name !== "n/a" && { openFile: name }) };
}

/**
 * Its own commands, with the fields of its tools; all others are shell commands. An edit applies to the open file.
 */
function readCommand(command: string, openFile: string | undefined): TextCall {
  const [firstLine = ""] = command.trimStart().split("\n", 1);
  const [tool = "", ...args] = (parseLine(firstLine)[0]?.words ?? []).map(({ text }) => text);
  if (tool === "edit" && openFile !== undefined) return { tool, input: { path: openFile } };
  const fields = FIELDS.get(tool);
  if (!fields || (fields.length > 0 && args.length === 0)) return { tool: "bash", input: { command } };
  const pairs = fields.flatMap((field, i) => (args[i] === undefined ? [] : [[field, args[i]] as const]));
  return { tool, input: Object.fromEntries(pairs) };
}

/** The names of the arguments, in order. */
const FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["open", ["path", "line_number"]],
  ["goto", ["line_number"]],
  ["scroll_up", []],
  ["scroll_down", []],
  ["create", ["filename"]],
  ["search_dir", ["search_term", "dir"]],
  ["search_file", ["search_term", "file"]],
  ["find_file", ["file_name", "dir"]],
  ["submit", []],
]);
