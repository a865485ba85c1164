import { describe, expect, test } from "vitest";
import { formatByName } from "../../../src/formats/detect.ts";
import { decodeMessages } from "../../../src/formats/intake/decode.ts";
import { textProtocolsWith } from "../../../src/formats/text-protocols/text-protocols.ts";
import type { Part } from "../../../src/transcript/part.ts";

const CHAT = formatByName("openai-chat");
const FENCE = "```";

function read(answer: string, content: unknown, protocols = textProtocolsWith([])): readonly Part[] {
  const messages = [
    { role: "user", content: "Go." },
    { role: "assistant", content: answer },
    { role: "user", content },
  ];
  return decodeMessages(CHAT, messages, [], [], protocols)[2]?.parts ?? [];
}

function describeParts(parts: readonly Part[]): readonly unknown[] {
  return parts.map((part) => {
    const text = part.leaves[0]?.text;
    if (part.kind === "call") return [part.tool, part.input];
    return part.kind === "result" ? { text, status: part.status, exitCode: part.exitCode } : text;
  });
}

const blocks = (...texts: readonly string[]) => texts.map((text) => ({ type: "text", text }));
const bash = (command: string) => `I do.\n\n${FENCE}bash\n${command}\n${FENCE}\n`;
const plain = (command: string) => `I do.\n${FENCE}\n${command}\n${FENCE}`;
const prompt = (file = "n/a") => `\n(Open file: ${file})\n(Current directory: /src)\nbash-$`;

describe("outputs and their calls", () => {
  test.each<readonly [string, string, unknown, readonly unknown[]]>([
    [
      "mini-swe-agent",
      bash("cat > a.ts <<'EOF'\nx\nEOF"),
      "<returncode>1</returncode>\n<output>\na <output> b\n</output>",
      [
        ["bash", { command: "cat > a.ts <<'EOF'\nx\nEOF" }],
        { text: "a <output> b", status: "ok", exitCode: 1 },
      ],
    ],
    [
      "mini-swe-agent: a long output",
      bash("ls"),
      "<returncode>0</returncode>\n<warning>\nToo long.\n</warning>\n<output_head>\na\n</output_head>\n<output_tail>\nz\n</output_tail>",
      [
        ["bash", { command: "ls" }],
        {
          text: "<output_head>\na\n</output_head>\n<output_tail>\nz\n</output_tail>",
          status: "ok",
          exitCode: 0,
        },
      ],
    ],
    [
      "mini-swe-agent: nothing was printed",
      bash("true"),
      "<returncode>0</returncode>\n<output>\n</output>",
      [["bash", { command: "true" }], { text: "", status: "ok", exitCode: 0 }],
    ],
    [
      "mini-swe-agent: a timeout",
      bash("sleep 99"),
      "The last command <command>sleep 99</command> timed out and has been killed.\nThe output of the command was:\n <output>\na\n</output>\nPlease try another command.",
      [["bash", { command: "sleep 99" }], { text: "a", status: "error", exitCode: undefined }],
    ],
    [
      "mini-swe-agent: without a template",
      bash("ls"),
      "Observation: a.ts",
      [["bash", { command: "ls" }], { text: "a.ts", status: "ok", exitCode: undefined }],
    ],
    [
      "SWE-agent: a command of its own",
      plain("open src/a.py 120"),
      `[File: a.py]\n1:x${prompt("/src/a.py")}`,
      [
        ["open", { path: "src/a.py", line_number: "120" }],
        { text: "[File: a.py]\n1:x", status: "ok", exitCode: undefined },
      ],
    ],
    [
      "SWE-agent: an edit is one of the open file",
      plain("edit 1:2\nx\nend_of_edit"),
      `File updated.${prompt("/src/a.py")}\n`,
      [["edit", { path: "/src/a.py" }], { text: "File updated.", status: "ok", exitCode: undefined }],
    ],
    [
      "SWE-agent: of several blocks the last",
      `${FENCE}py\nx = 1\n${FENCE}\n${plain("ls -F")}`,
      `OBSERVATION:\na.py${prompt()}`,
      [["bash", { command: "ls -F" }], { text: "a.py", status: "ok", exitCode: undefined }],
    ],
    [
      "SWE-agent with calls in XML",
      "<function=bash>\n<parameter=command>ls</parameter>\n</function>",
      "OBSERVATION:\na.py",
      [["bash", { command: "ls" }], { text: "a.py", status: "ok", exitCode: undefined }],
    ],
    [
      "Cline: blocks",
      "<read_file>\n<path>a.ts</path>\n</read_file>",
      blocks(
        "[read_file for 'a.ts'] Result:",
        "const a = 1;",
        "<environment_details>\n</environment_details>",
      ),
      [
        "[read_file for 'a.ts'] Result:",
        ["read_file", { path: "a.ts" }],
        { text: "const a = 1;", status: "ok", exitCode: undefined },
        "<environment_details>\n</environment_details>",
      ],
    ],
    [
      "Cline: one text",
      "<execute_command>\n<command>npm\ntest</command>\n<requires_approval>false</requires_approval>\n</execute_command>",
      "[execute_command for 'npm\ntest'] Result:\nok\n<environment_details>\nx\n</environment_details>",
      [
        ["execute_command", { command: "npm\ntest", requires_approval: "false" }],
        { text: "ok", status: "ok", exitCode: undefined },
      ],
    ],
    [
      "Roo: files in args, and an error",
      "<read_file>\n<args>\n<file>\n<path>a.ts</path>\n</file>\n<file>\n<path>b.ts</path>\n</file>\n</args>\n</read_file>",
      blocks(
        "[read_file for 'a.ts', 'b.ts'. Read several at once.] Result:",
        "The tool execution failed with the following error:\n<error>no a.ts</error>",
      ),
      [
        "[read_file for 'a.ts', 'b.ts'. Read several at once.] Result:",
        ["read_file", { paths: ["a.ts", "b.ts"] }],
        {
          text: "The tool execution failed with the following error:\n<error>no a.ts</error>",
          status: "error",
          exitCode: undefined,
        },
      ],
    ],
    [
      "Cline: two calls of one answer",
      "<read_file><path>a.ts</path></read_file>\n<read_file><path>b.ts</path></read_file>",
      blocks("[read_file for 'a.ts'] Result:\nA", "[read_file for 'b.ts'] Result:\nB"),
      [
        ["read_file", { path: "a.ts" }],
        { text: "A", status: "ok", exitCode: undefined },
        ["read_file", { path: "b.ts" }],
        { text: "B", status: "ok", exitCode: undefined },
      ],
    ],
    [
      "OpenHands: the end of the call is missing",
      "<function=str_replace_editor>\n<parameter=command>view</parameter>\n<parameter=path>/a.py</parameter>\n<parameter=view_range>[1, 9]</parameter>\n",
      "EXECUTION RESULT of [str_replace_editor]:\n1 x",
      [
        ["str_replace_editor", { command: "view", path: "/a.py", view_range: [1, 9] }],
        { text: "1 x", status: "ok", exitCode: undefined },
      ],
    ],
    [
      "OpenHands: a picture behind the output, and a parameter of several lines",
      "I look.\n\n<function=execute_ipython_cell>\n<parameter=code>\nx = 1\nplot(x)\n</parameter>\n</function>",
      [
        ...blocks("EXECUTION RESULT of [execute_ipython_cell]:\n[1]"),
        { type: "image_url", image_url: { url: "data:image/gif;base64,R0lGODlhAQABAAAAACw=" } },
      ],
      [
        ["execute_ipython_cell", { code: "x = 1\nplot(x)" }],
        { text: "[1]", status: "ok", exitCode: undefined },
        "data:image/gif;base64,R0lGODlhAQABAAAAACw=",
      ],
    ],
    [
      "OpenHands: a result without the name of its tool",
      "<function=execute_bash>\n<parameter=command>ls</parameter>\n</function>",
      "EXECUTION RESULT of [function]:\na.ts",
      [["execute_bash", { command: "ls" }], { text: "a.ts", status: "ok", exitCode: undefined }],
    ],
  ])("%s", (_, answer, content, expected) => {
    expect(describeParts(read(answer, content))).toEqual(expected);
  });
});

describe("not outputs", () => {
  test.each<readonly [string, string, unknown]>([
    ["the answer has no command", "I am done.", "<returncode>0</returncode>\n<output>\na\n</output>"],
    [
      "the answer has two commands",
      bash("ls") + bash("pwd"),
      "<returncode>0</returncode>\n<output>\n</output>",
    ],
    ["a person answers a command", bash("ls"), "Run it yourself."],
    ["the task ends with the prompt", "Hello.", `Fix it.${prompt()}`],
    ["another tool's result", "<function=a></function>", "EXECUTION RESULT of [b]:\nx"],
    [
      "a person's answer to a question",
      "<ask_followup_question><question>Which?</question></ask_followup_question>",
      blocks("[ask_followup_question for 'Which?'] Result:", "<answer>\nThe first.\n</answer>"),
    ],
    [
      "a person's refusal",
      "<write_to_file><path>a.ts</path></write_to_file>",
      blocks(
        "[write_to_file for 'a.ts'] Result:",
        "The user denied this operation.\n<feedback>\nNo!\n</feedback>",
      ),
    ],
    [
      "a result without output",
      "<read_file><path>a.ts</path></read_file>",
      blocks("[read_file for 'a.ts'] Result:", "<environment_details>\n</environment_details>"),
    ],
  ])("%s", (_, answer, content) => {
    expect(read(answer, content).every(({ kind }) => kind === "text")).toBe(true);
  });

  test("after an answer with a call of its own", () => {
    const messages = [
      {
        role: "assistant",
        content: bash("ls"),
        tool_calls: [{ id: "a", type: "function", function: { name: "bash", arguments: "{}" } }],
      },
      { role: "user", content: "<returncode>0</returncode>\n<output>\na\n</output>" },
    ];
    expect(decodeMessages(CHAT, messages)[1]?.parts.map(({ kind }) => kind)).toEqual(["text"]);
  });
});

describe("a protocol of the user's own", () => {
  const own = textProtocolsWith([
    { call: { begin: "READ " }, result: { begin: "FILE\n", end: "\nEND" }, tool: "read_file", field: "path" },
  ]);

  test("names the tool and its field", () => {
    expect(describeParts(read("I read.\nREAD a.ts", "FILE\nEND\nx\nEND\nGo on.", own))).toEqual([
      ["read_file", { path: "a.ts" }],
      { text: "END\nx", status: "ok", exitCode: undefined },
    ]);
  });

  test.each([
    ["no command", "I read.", "FILE\nx\nEND"],
    ["another beginning", "READ a.ts", "The FILE\nx\nEND"],
    ["no end", "READ a.ts", "FILE\nx"],
  ])("%s: not an output", (_, answer, content) => {
    expect(read(answer, content, own).every(({ kind }) => kind === "text")).toBe(true);
  });

  test("the known protocols are used too", () => {
    expect(read(bash("ls"), "Observation: a.ts", own).map(({ kind }) => kind)).toEqual(["call", "result"]);
  });
});
