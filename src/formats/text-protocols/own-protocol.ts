import type { TextProtocol } from "./text-protocol.ts";

/** The delimiters around a text. Without an end, it extends to the end of the message. */
export interface Marks {
  readonly begin: string;
  readonly end?: string;
}

/** A protocol in a user's configuration. */
export interface OwnProtocol {
  /** The delimiters of the command in an answer. */
  readonly call: Marks;
  /** The delimiters of its output in the next user message, which begins with the first one. */
  readonly result: Marks;
  /** The tool that the command is for, and the field of its input that contains it. */
  readonly tool?: string;
  readonly field?: string;
}

/**
 * Plain delimiters and no expressions: the search takes linear time on any text.
 *
 *   { call: { begin: "<run>", end: "</run>" }, result: { begin: "Output:\n" } }
 *   …<run>ls</run>   |   Output:\na.ts
 */
export function makeProtocol({ call, result, tool = "bash", field = "command" }: OwnProtocol): TextProtocol {
  return {
    read(texts, answer) {
      const text = texts.findIndex((each) => each.startsWith(result.begin));
      const command = text < 0 ? undefined : findCommand(answer, call);
      if (command === undefined) return [];
      const output = texts[text] ?? "";
      const from = result.begin.length;
      const end = result.end === undefined ? -1 : output.lastIndexOf(result.end);
      if (result.end !== undefined && end < from) return [];
      return [
        {
          call: { tool, input: { [field]: command.trim() } },
          text,
          from,
          to: end < 0 ? output.length : end,
        },
      ];
    },
  };
}

function findCommand(answer: string, { begin, end }: Marks): string | undefined {
  const at = answer.indexOf(begin);
  if (at < 0) return undefined;
  const from = at + begin.length;
  if (end === undefined) return answer.slice(from);
  const to = answer.indexOf(end, from);
  return to < 0 ? undefined : answer.slice(from, to);
}
