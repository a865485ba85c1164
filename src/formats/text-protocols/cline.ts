import { STATE_OPEN } from "../../tool-kinds/host-tags.ts";
import { findTagged, listTagged, withoutBreaks } from "./find-tagged.ts";
import type { TextCall, TextProtocol, TextResult } from "./text-protocol.ts";

const HEAD = /^\s*\[(\w{1,60})(?=\]| )/;
const HEAD_END = "] Result:";

/** The results of these are the words of a person. */
const QUESTIONS: ReadonlySet<string> = new Set([
  "ask_followup_question",
  "attempt_completion",
  "plan_mode_respond",
  "plan_mode_response",
]);

/** The start of a refusal: a person's words may follow. */
const DENIED = "The user denied this operation";
const FAILED = "The tool execution failed with the following error:";

/**
 * Cline, Roo Code and similar agents, when they call tools in XML:
 *
 *   <read_file>\n<path>a.ts</path>\n</read_file>   |   [read_file for 'a.ts'] Result:   |   const a = 1;
 *
 * The output is a separate text block, or follows in the same one.
 */
export const cline: TextProtocol = {
  read(texts, answer) {
    const results: TextResult[] = [];
    /** By tool: the position up to which its calls were read. */
    const read = new Map<string, number>();
    for (const [i, text] of texts.entries()) {
      const head = readHead(text);
      const output = head && findOutput(texts, i, head.end);
      if (!head || !output) continue;
      const call = findTagged(answer, `<${head.tool}>`, `</${head.tool}>`, read.get(head.tool));
      if (!call) continue;
      read.set(head.tool, call.end);
      const isFailed = texts[output.text]?.startsWith(FAILED, output.from);
      results.push({ call: readCall(head.tool, call.text), ...output, ...(isFailed && { failed: true }) });
    }
    return results;
  },
};

function readHead(text: string): { readonly tool: string; readonly end: number } | undefined {
  const head = HEAD.exec(text);
  const end = head ? text.indexOf(HEAD_END, head[0].length) : -1;
  const tool = head?.[1] ?? "";
  return end < 0 || QUESTIONS.has(tool) ? undefined : { tool, end: end + HEAD_END.length };
}

type Output = Pick<TextResult, "text" | "from" | "to">;

function findOutput(texts: readonly string[], head: number, end: number): Output | undefined {
  const own = texts[head] ?? "";
  const rest = own.slice(end);
  const output = rest.trim() === "" ? findNext(texts, head + 1) : findRest(own, end, head);
  return output && texts[output.text]?.startsWith(DENIED, output.from) ? undefined : output;
}

function findNext(texts: readonly string[], next: number): Output | undefined {
  const text = texts[next];
  if (text === undefined || text.startsWith(STATE_OPEN) || readHead(text)) return undefined;
  return { text: next, from: 0, to: text.length };
}

/** Some providers get all blocks as one text: then the editor's context follows the output. */
function findRest(text: string, end: number, head: number): Output {
  const from = text[end] === "\n" ? end + 1 : end;
  const details = text.lastIndexOf(`\n${STATE_OPEN}`);
  return { text: head, from, to: details < from ? text.length : details };
}

/** The arguments are elements. Roo's `<args>` contains a list of files, each with its path. */
function readCall(tool: string, body: string): TextCall {
  const input: Record<string, unknown> = Object.create(null);
  let end = 0;
  for (const { 0: opening, 1: name = "", index } of body.matchAll(ELEMENT)) {
    const element = index < end ? undefined : findTagged(body, opening, `</${name}>`, index);
    if (!element) continue;
    if (name === "args")
      input.paths = listTagged(element.text, "<path>", "</path>").map((path) => path.trim());
    else input[name] = withoutBreaks(element.text);
    end = element.end;
  }
  return { tool, input: { ...input } };
}

const ELEMENT = /<(\w{1,60})>/g;
