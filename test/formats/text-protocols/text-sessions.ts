import type { FormatName } from "../../../src/formats/format.ts";
import { textOf } from "../../conversation.ts";
import type { Session } from "../../generate.ts";

/** One step of an agent that makes its calls as text: a command, or a file to read. */
interface Step {
  readonly command: string;
  readonly path?: string;
  readonly output: string;
}

/** How an agent writes a step: its answer, and the content of the next user message. */
export interface Writer {
  readonly name: string;
  readonly format: FormatName;
  answer(step: Step): string;
  content(step: Step): unknown;
  /** The part of a message's text that stays after every cut. */
  readonly marks: readonly string[];
}

export const WRITERS: readonly Writer[] = [
  {
    name: "mini-swe-agent",
    format: "openai-chat",
    answer: ({ command }) => `THOUGHT: I look.\n\n\`\`\`bash\n${command}\n\`\`\``,
    content: ({ output }) => `<returncode>0</returncode>\n<output>\n${output}\n</output>`,
    marks: ["<returncode>0</returncode>\n<output>\n", "\n</output>"],
  },
  {
    name: "SWE-agent",
    format: "openai-chat",
    answer: ({ command, path }) =>
      `DISCUSSION\nI look.\n\`\`\`\n${path === undefined ? command : `open ${path}`}\n\`\`\``,
    content: ({ output }) => `${output}\n(Open file: n/a)\n(Current directory: /work)\nbash-$`,
    marks: ["\n(Open file: n/a)\n(Current directory: /work)\nbash-$"],
  },
  {
    name: "Cline",
    format: "anthropic-messages",
    answer: ({ command, path }) =>
      path === undefined
        ? `I run it.\n<execute_command>\n<command>${command}</command>\n</execute_command>`
        : `I read it.\n<read_file>\n<path>${path}</path>\n</read_file>`,
    content: ({ command, path, output }) => [
      {
        type: "text",
        text:
          path === undefined
            ? `[execute_command for '${command}'] Result:`
            : `[read_file for '${path}'] Result:`,
      },
      { type: "text", text: output },
      { type: "text", text: "<environment_details>\nnothing is open\n</environment_details>" },
    ],
    marks: ["] Result:", "<environment_details>"],
  },
  {
    name: "OpenHands",
    format: "openai-chat",
    answer: ({ command }) =>
      `I run it.\n<function=execute_bash>\n<parameter=command>${command}</parameter>\n</function>`,
    content: ({ output }) => [{ type: "text", text: `EXECUTION RESULT of [execute_bash]:\n${output}` }],
    marks: ["EXECUTION RESULT of [execute_bash]:\n"],
  },
];

/** The file that is read first and then again and again. */
export const FILE: string = textOf(900, 1);

/** Reads a file twice, queries the state of the workspace, runs tests. */
const STEPS: readonly Step[] = [
  { command: "cat src/a.ts", path: "src/a.ts", output: FILE },
  { command: "git status", output: textOf(120, 2) },
  { command: "npm test", output: textOf(700, 3) },
  { command: "cat src/a.ts", path: "src/a.ts", output: FILE },
  { command: "git status", output: textOf(120, 4) },
  { command: "npm test", output: textOf(700, 5) },
];

export function writeSession({ format, answer, content }: Omit<Writer, "name" | "marks">): Session {
  const messages: unknown[] = [{ role: "user", content: "Fix the failing test." }];
  for (const round of [1, 2, 3])
    for (const step of STEPS) {
      messages.push({ role: "assistant", content: `${answer(step)}` });
      messages.push({
        role: "user",
        content: content({ ...step, output: `${step.output}\nround ${round}` }),
      });
    }
  const time = 1_790_000_000_000;
  return { format, messages, meta: messages.map((_, i) => ({ time: time + i * 5_000 })) };
}
