import { expect, test } from "vitest";
import { readLines } from "../../src/answers/page-text.ts";
import { bareModelId, spellings } from "../../src/models/model-id.ts";
import { createPruner } from "../../src/pruner.ts";
import { redact } from "../../src/redaction/redact.ts";
import { collectAnchors } from "../../src/replay/anchors.ts";
import { findKeyNumbers } from "../../src/strategies/summaries/key-numbers.ts";
import { summarizeToolOutput } from "../../src/strategies/summaries/summarize-tool-output.ts";
import { FileTracker } from "../../src/strategies/trim/file-tracker.ts";
import { findSkillFile } from "../../src/tool-kinds/skill-file.ts";
import { createToolKinds } from "../../src/tool-kinds/tool-kinds.ts";
import { Conversation } from "../conversation.ts";
import { expectInProportion } from "../growth.ts";

const { describe: describeCall } = createToolKinds();
const tracker = new FileTracker();
tracker.trackAccess("src/a.ts", 1, "read");

/** The same call with the same result twice, at once: the first result is cut. */
function pruneTwice(tool: string, input: unknown, text: string, prompt = "Go on."): unknown {
  const { messages } = new Conversation(prompt)
    .call(tool, input, text)
    .call(tool, input, text)
    .say("And now?");
  return createPruner({ config: { schedule: { mode: "eager" } } }).prune(messages);
}

/** A text that would take minutes in quadratic time. */
const LENGTH = 300_000;

test.each<[string, string, (text: string) => unknown]>([
  ["<system-reminder>", "", (text) => pruneTwice("read", { file_path: "a.ts" }, `1\ta\n${text}`)],
  ["<system-reminder>\n", "", (text) => pruneTwice("read", { file_path: "a.ts" }, `1\ta\n${text}`)],
  ["<system-reminder>", "", (text) => pruneTwice("webfetch", { url: "https://a.org" }, text)],
  ["<system-reminder>\n", "", (text) => pruneTwice("bash", { command: "ls" }, text, text)],
  [" ", "x", (text) => readLines(`1${text}`)],
  ["/skills/", "", (path) => findSkillFile(describeCall("read", { file_path: `${path}a` }))],
  ["[", "", bareModelId],
  ["-free", "", spellings],
  ["a+", "", collectAnchors],
  [".", "a", (text) => collectAnchors(`a${text}`)],
  [".", "a", (text) => tracker.findNamed(text)],
  [" ", "x", (text) => summarizeToolOutput("ls", text)],
  ["\t", "x", (text) => summarizeToolOutput("ls", text)],
  [" ", "x", (text) => summarizeToolOutput("ls", `-rw-r--r-- 1 a b 1 c 1 d${text}\r`)],
  ["1", "", (text) => summarizeToolOutput("tree", text)],
  ["1,", "", (text) => summarizeToolOutput("tree", text)],
  ["1", "", (text) => summarizeToolOutput("git_diff", `a\n${text}`)],
  ["1,", "", (text) => findKeyNumbers([text])],
  [" ", "x", (text) => describeCall("apply_patch", { input: `*** Update File: a${text}` })],
  [".", "a", (text) => describeCall("web_fetch", { prompt: `see https://a.org/${text} now` })],
  [" ", "", (text) => describeCall("todowrite", { todos: `- [ ] ${text}` })],
  ["/", "a", (text) => describeCall("bash", { command: `cp '${text}' b/` })],
  ["a.aa.", "@", (text) => redact(`a@${text}`)],
  ["a@a.a", "", redact],
  ["-----BEGIN PRIVATE KEY-----", "", redact],
  ["eyJhbGciOiJIUzI1NiJ9-", "", redact],
])("%j and %j are read in proportion to their length", (repeated, end, read) => {
  const length = (size: number) => Math.floor(size / repeated.length);
  expectInProportion(LENGTH / 4, (size) => read(repeated.repeat(length(size)) + end));
});

test("a file list is read as before", () => {
  const list = [
    "total 12",
    "drwxr-xr-x 2 me me 4096 Nov 16 10:00 src",
    "-rw-r--r--  1 me  me    12 Nov  6  2020 a  b.ts",
    "[DIR] docs",
    "- c.ts",
  ].join("\n");
  expect(summarizeToolOutput("list_files", `${list}\n${"- more.ts\n".repeat(200)}`)).toContain(
    "202 files, e.g., a  b.ts, c.ts, more.ts",
  );
});
