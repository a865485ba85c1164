import pc from "picocolors";
import { analyzeSession } from "../../src/analysis/analyze-session.ts";
import { daysIn, readDay } from "../../src/analysis/calendar.ts";
import { splitStored } from "../../src/cli/opencode-database.ts";
import { clip, clipStart, formatTable, wrap } from "../../src/cli/table.ts";
import { DEFAULT_CONFIG } from "../../src/config/defaults.ts";
import { readJsonc } from "../../src/config/jsonc.ts";
import { MessageBench } from "../../src/edits/message-bench.ts";
import { isHistoryOnServer, profileFor, stripNote } from "../../src/entries/host.ts";
import { FileTracker } from "../../src/entries/messages.ts";
import { visitNames } from "../../src/facts/literals.ts";
import { formatByName } from "../../src/formats/detect.ts";
import { decodeMessages } from "../../src/formats/intake/decode.ts";
import { textProtocolsWith } from "../../src/formats/text-protocols/text-protocols.ts";
import { createPruner, estimateTokens } from "../../src/index.ts";
import { buildReportData } from "../../src/page/report-data.ts";
import { findPrompt } from "../../src/recordings/find-prompt.ts";
import { parseRecording, parseRestoreFile, pruneRecordingText } from "../../src/recordings/index.ts";
import { redactRecording } from "../../src/recordings/redact-recording.ts";
import { scanStrings } from "../../src/recordings/scan-strings.ts";
import { checkNames } from "../../src/redaction/check-names.ts";
import { maskLabel } from "../../src/redaction/mask-label.ts";
import { createTraceMask } from "../../src/redaction/mask-traces.ts";
import { redact, redactValue } from "../../src/redaction/redact.ts";
import { collectEditAnchors } from "../../src/replay/anchors.ts";
import { coppicePolicy, replayRecording } from "../../src/replay/index.ts";
import { describeWork } from "../../src/reports/state-of-work.ts";
import { failedChange } from "../../src/tool-kinds/failed-change.ts";
import { findEdits } from "../../src/tool-kinds/shell/find-edits.ts";
import { listSedTexts } from "../../src/tool-kinds/shell/sed-patterns.ts";
import { createToolKinds } from "../../src/tool-kinds/tool-kinds.ts";
import type { CallPart } from "../../src/transcript/part.ts";
import { Conversation } from "../conversation.ts";
import type { Case } from "./measure.ts";
import { SMALL_TEXT_SIZES, TEXT_SIZES } from "./sizes.ts";
import { type TextFunctions, textCases } from "./text-cases.ts";

/** Reads an output in every protocol: with its delimiters, and with only their beginnings. */
function readOutputs(command: string, output: string): unknown {
  const own = { call: { begin: "<", end: ">" }, result: { begin: "<", end: ">" } };
  const answers = [
    `\`\`\`bash\n${command}\n\`\`\``,
    `<read_file>${command}</read_file>`,
    `<read_file><args>${command}`,
    `<function=run>${command}</function>`,
  ];
  const outputs = [
    `<returncode>0</returncode>\n<output>\n${output}</output>`,
    `<returncode>0</returncode>\n<warning>${output}`,
    `The last command <command>${output}`,
    `${output}\n(Open file: a)\n(Current directory: b)\nbash-$`,
    `[read_file for '${output}`,
    `[read_file for '${output}'] Result:\n${output}`,
    `EXECUTION RESULT of [run]:\n${output}`,
    output,
  ];
  return textProtocolsWith([own]).map((protocol) =>
    answers.flatMap((answer) => outputs.flatMap((text) => protocol.read([text, text], answer))),
  );
}

/** All other functions that take a text. */
const FUNCTIONS: TextFunctions = [
  ["estimateTokens", estimateTokens],
  ["redact", redact],
  ["redactValue", (text) => redactValue({ [text]: [text] })],
  ["redact, in JSON", (text) => redact(JSON.stringify({ text }))],
  ["redactRecording", (text) => redactRecording(JSON.stringify([{ text, list: [text, text] }]))],
  ["redactRecording, a broken line", (text) => redactRecording(`{"a":"${text}`)],
  ["maskLabel", maskLabel],
  ["createTraceMask", (text) => createTraceMask([text, "hunter22secret"])(text)],
  ["checkNames", checkAll],
  ["profileFor", (text) => profileFor(text)],
  ["stripNote", (text) => stripNote({ messages: [{ role: "user", content: text }], added: "message" })],
  ["isHistoryOnServer", (text) => isHistoryOnServer([{ type: text }])],
  ["FileTracker.trackAccess", (text) => new FileTracker().trackAccess(text, 1, "read", text)],
  [
    "FileTracker.findNamed",
    (text) => {
      const tracker = new FileTracker();
      tracker.trackAccess("src/a.ts", 1, "read");
      return tracker.findNamed(text);
    },
  ],
  ["readJsonc", readJsonc],
  ["text protocols, answers", (text) => readOutputs(text, "x")],
  ["text protocols, outputs", (text) => readOutputs("ls", text)],
  ["text protocols, parameters", (text) => readOutputs(text.replaceAll("<tag>", "<parameter=a>"), "x")],
  ["findEdits, a script of sed", (text) => findEdits(`sed -i '${text}' a.ts`)],
  ["listSedTexts", (text) => [listSedTexts(text, true), listSedTexts(`s/${text}/b/`, false)]],
  ["collectEditAnchors, blocks", (text) => collectEditAnchors(diffOf(`<<<<<<< SEARCH\n${text}`))],
  ["failedChange", (text) => failedChange(EDIT, [text, `Error: ${text}`])],
  ["environment details", (text) => decodeMessages(ANTHROPIC, [stateOf(text)])],
  ["parseRecording", (text) => parseRecording(text)],
  ["parseRecording, begun", (text) => parseRecording(`[{"role":"user","content":"go"},${text}`)],
  ["parseRecording, a line", (text) => parseRecording(`{"type":"session_meta"}\n${text}`)],
  ["findPrompt", (text) => findPrompt([text, `<a>${text}</a>${text}`, text])],
  ["parseRecording, tau-bench", (text) => parseRecording(tauBenchOf(text))],
  ["clip", (text) => clip(text, 40)],
  ["clipStart", (text) => clipStart(text, 40)],
  ["wrap", (text) => wrap(text, 60)],
  ["formatTable", (text) => formatTable([COLUMN, COLUMN], [[text, text]], TABLE)],
  ["splitStored", (text) => [splitStored(text), splitStored(`${text}.db#${text}`)]],
  ["readDay", (text) => readDay(text, "2026-11-17")],
  ["parseRestoreFile", (text) => parseRestoreFile(text)],
  ["scanStrings, lines", (text) => scanStrings(text, "lines")],
  ["scanStrings, a document", (text) => scanStrings(`["${text}`, "document")],
];

/** The same for slower functions. */
const SLOW_FUNCTIONS: TextFunctions = [
  ["prune, a session's name", (text) => createPruner().prune([USER], { session: text, model: text })],
  ["prune, a stranger", (text) => createPruner().prune([USER, text, { [text]: text }])],
  ["prune, ids and names", (text) => createPruner().prune(callOf(text))],
  ["pruneRecordingText", (text) => pruneRecordingText(JSON.stringify(callOf(text)))],
  ["pruneRecordingText, cut", (text) => pruneRecordingText(JSON.stringify([...repeated(text)]))],
  ["replayRecording", replay],
  ["buildReportData", report],
  ["analyzeSession", analyze],
  ["describeWork", tellWork],
];

const ANTHROPIC = formatByName("anthropic-messages");
const EDIT = createToolKinds().describe("edit", { path: "a.ts" });

function diffOf(diff: string): CallPart {
  const call = {
    kind: "call",
    slot: "0",
    role: "assistant",
    leaves: [],
    callId: "a",
    tool: "apply_diff",
  } as const;
  return { ...call, input: { path: "a.ts", diff } };
}

function stateOf(text: string): unknown {
  const state = `<environment_details>\n# ${text}\n</environment_details>`;
  return { role: "user", content: [text, state, state].map((each) => ({ type: "text", text: each })) };
}

const COLUMN = { title: "a", align: "left", atLeast: 8 } as const;
const TABLE = { width: 80, paint: pc.createColors(false) };

const USER = { role: "user", content: "go" };

function tauBenchOf(text: string): string {
  return JSON.stringify([{ task_id: text, reward: 0, traj: [USER, { role: "assistant", content: text }] }]);
}

function analyze(text: string): unknown {
  const recording = parseRecording(JSON.stringify(callOf(text)));
  return recording.ok && analyzeSession(recording.value, text, DEFAULT_CONFIG, daysIn("UTC"));
}

function tellWork(text: string): unknown {
  const session = new Conversation()
    .call("edit", { filePath: text, oldString: "a", newString: "b" }, "ok")
    .call("todowrite", { todos: [{ content: text, status: "pending" }] }, "ok")
    .call("bash", { command: `npm test ${text}` }, "1 failed")
    .call("bash", { command: "npm test" }, `${text}\n1 failed`);
  return describeWork(new MessageBench(session.messages).facts, "/shop");
}

function callOf(text: string): readonly unknown[] {
  const call = { id: text, type: "function", function: { name: text, arguments: text } };
  return [
    USER,
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: text, content: text },
  ];
}

/** A result that the next one makes stale. */
function* repeated(text: string): Generator<unknown> {
  yield USER;
  for (const id of ["a", "b", "c"]) {
    const call = { id, type: "function", function: { name: "read", arguments: '{"path":"a"}' } };
    yield { role: "assistant", content: null, tool_calls: [call] };
    yield { role: "tool", tool_call_id: id, content: `${text} and ${text}` };
  }
}

/** Every name, as if all previous ones were free. */
function checkAll(text: string): number {
  const mayName = checkNames(text, (path) => path.endsWith(".env"));
  let named = 0;
  visitNames(text, (name, from) => {
    if (mayName(from, from + name.length)) named++;
    return false;
  });
  return named;
}

function replay(text: string): unknown {
  const recording = parseRecording(JSON.stringify([...repeated(text)]));
  if (!recording.ok) throw new Error(recording.issue.message);
  return replayRecording(recording.value, coppicePolicy({}, "coppice"));
}

function report(text: string): unknown {
  const recording = parseRecording(redactRecording(JSON.stringify([...repeated(text)])).text);
  if (!recording.ok) throw new Error(recording.issue.message);
  return buildReportData(recording.value, { redacted: true });
}

export function functionCases(): readonly Case[] {
  return [...textCases(FUNCTIONS, TEXT_SIZES), ...textCases(SLOW_FUNCTIONS, SMALL_TEXT_SIZES)];
}
