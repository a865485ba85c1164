import { expect, test } from "vitest";
import { analyzeSession } from "../../src/analysis/analyze-session.ts";
import { sumAnalyses } from "../../src/analysis/sum-analyses.ts";
import { DEFAULT_CONFIG } from "../../src/config/defaults.ts";
import { parsePlainMessages } from "../../src/recordings/plain-messages.ts";
import { pruneRecordingText } from "../../src/recordings/prune-file.ts";
import { coppicePolicy } from "../../src/replay/coppice-policy.ts";
import { replayRecording } from "../../src/replay/replay.ts";
import { noPruning } from "../../src/replay/replay-policy.ts";
import { mustRead } from "../recordings/parse.ts";

const LONG = Array.from({ length: 300 }, (_, i) => `${i}: const value = compute(${i});`).join("\n");
const reasoning = (id: string, text: string) => ({
  type: "reasoning",
  id,
  summary: [{ type: "summary_text", text }],
  encrypted_content: "c2VjcmV0",
});
const call = (call_id: string, path: string) => ({
  type: "function_call",
  call_id,
  name: "read_file",
  arguments: JSON.stringify({ path }),
});
const output = (call_id: string) => ({ type: "function_call_output", call_id, output: LONG });
const said = (text: string) => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text }],
});

/** Three responses of three items each: reasoning, text, a call. */
const ITEMS = [
  { role: "user", content: "Where is computeDiscount defined? See src/orders/discount.ts." },
  reasoning("rs_1", "Read it."),
  said("I look."),
  call("c1", "src/orders/discount.ts"),
  output("c1"),
  reasoning("rs_2", "Again."),
  said("And again."),
  call("c2", "src/orders/discount.ts"),
  output("c2"),
  reasoning("rs_3", "Done."),
  said("In src/orders/discount.ts."),
  call("c3", "src/orders/other.ts"),
];
const TEXT = JSON.stringify({ model: "gpt-5", input: ITEMS });
const recording = mustRead(parsePlainMessages(TEXT, "session.json"));

test("a session of three responses is replayed as three requests", () => {
  const { requests } = replayRecording(recording, noPruning);
  expect(requests.map(({ view }) => view.length)).toEqual([1, 5, 9]);
  expect(requests.map(({ illegal }) => illegal)).toEqual([[], [], []]);
});

test("text that any item of a response names counts as used", () => {
  const { requests } = replayRecording(recording, noPruning);
  expect(requests.map(({ evidence }) => evidence.counted)).toEqual([1, 1, 1]);
});

test("the engine prunes it, legally", () => {
  const policy = coppicePolicy({ config: { schedule: { mode: "eager" } } });
  const { requests } = replayRecording(recording, policy);
  expect(requests.flatMap(({ cuts }) => cuts).length).toBeGreaterThan(0);
  expect(requests.flatMap(({ illegal }) => illegal)).toEqual([]);
});

test("the analysis counts three requests", () => {
  const analysis = analyzeSession(recording, "session.json", DEFAULT_CONFIG, () => undefined);
  expect(sumAnalyses([analysis]).requests).toBe(3);
});

test("its file is pruned", () => {
  const pruned = pruneRecordingText(TEXT, { config: { schedule: { mode: "eager" } } });
  expect(pruned.ok && pruned.value.text.length).toBeLessThan(TEXT.length - 5_000);
});
