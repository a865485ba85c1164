import { findFences } from "./find-fences.ts";
import type { TextProtocol, TextResult } from "./text-protocol.ts";

/** The languages of the one block with the command; newer versions use their own name. */
const LANGUAGES: ReadonlySet<string> = new Set(["bash", "sh", "mswea_bash_command"]);

const RETURN_CODE = /^\s*<returncode>(-?\d{1,10})<\/returncode>\s*/;
const TIMEOUT = /^\s*The last command <command>/;
const OBSERVATION = /^\s*Observation: ?/;

/**
 * mini-swe-agent up to version 1:
 *
 *   …```bash\nls\n```   |   <returncode>0</returncode>\n<output>\na.ts\n</output>
 *
 * A long output comes as a `<warning>`, `<output_head>` and `<output_tail>`. After a timeout, the message begins
 * with the command, and without a configured template it is `Observation: …`.
 */
export const miniSweAgent: TextProtocol = {
  read([text], answer) {
    const output = text === undefined ? undefined : findOutput(text);
    if (!output) return [];
    const commands = findFences(answer).filter(({ language }) => LANGUAGES.has(language));
    const [only, ...others] = commands;
    if (!only || others.length > 0) return [];
    return [{ call: { tool: "bash", input: { command: only.text } }, text: 0, ...output }];
  },
};

function findOutput(text: string): Omit<TextResult, "call" | "text"> | undefined {
  const code = RETURN_CODE.exec(text);
  if (code) return { ...findBody(text, code[0].length), exitCode: Number(code[1]) };
  if (TIMEOUT.test(text)) {
    const at = text.indexOf(WAS, text.indexOf("timed out"));
    return at < 0 ? undefined : { ...findBody(text, at + WAS.length), failed: true };
  }
  const observation = OBSERVATION.exec(text);
  return observation ? { from: observation[0].length, to: text.length } : undefined;
}

const WAS = "The output of the command was:";

/** The text in `<output>`, or everything after a warning. */
function findBody(text: string, start: number): { readonly from: number; readonly to: number } {
  const opening = skipBlanks(text, start);
  if (text.startsWith("<output>", opening)) {
    const from = skipBreak(text, opening + "<output>".length);
    const close = text.lastIndexOf("</output>");
    const to = close < from ? text.length : close;
    return { from, to: text[to - 1] === "\n" && to > from ? to - 1 : to };
  }
  const warned = text.startsWith("<warning>", opening) ? text.indexOf("</warning>", opening) : -1;
  return { from: warned < 0 ? opening : skipBreak(text, warned + "</warning>".length), to: text.length };
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\n") at++;
  return at;
}

function skipBreak(text: string, from: number): number {
  return text[from] === "\n" ? from + 1 : from;
}
