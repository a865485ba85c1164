import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { parseRecording } from "../../src/recordings/parse-recording.ts";

interface Block {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
  readonly input?: { readonly command?: string };
  readonly tool_use_id?: string;
  readonly content?: string;
  readonly is_error?: boolean;
}

interface Line {
  readonly type: string;
  readonly uuid?: string;
  readonly parentUuid?: string | null;
  readonly timestamp?: string;
  readonly message?: {
    readonly id?: string;
    readonly model?: string;
    readonly content: string | readonly Block[];
    readonly usage?: {
      readonly cache_read_input_tokens: number;
      readonly cache_creation_input_tokens: number;
    };
  };
}

const file = resolve("samples/discount-service.jsonl");
const bytes = readFileSync(file);
const text = bytes.toString("utf8");
const lines: readonly Line[] = text
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));
const responses = lines.filter((line) => line.type === "assistant");
const blocks = lines.flatMap(({ message }) => (Array.isArray(message?.content) ? message.content : []));
const calls = blocks.filter((block) => block.type === "tool_use");
const results = new Map(
  blocks.filter((block) => block.type === "tool_result").map((block) => [block.tool_use_id, block]),
);

/** The first line of each step: all lines of a step share a message id. */
const steps = responses.filter((line, index) => line.message?.id !== responses[index - 1]?.message?.id);

test("the sample is large enough for pruning to show", () => {
  const questions = lines.filter((line) => line.type === "user" && typeof line.message?.content === "string");
  expect(questions).toHaveLength(3);
  expect(steps.length).toBeGreaterThanOrEqual(40);
  const last = steps.at(-1)?.message?.usage;
  const sent = (last?.cache_read_input_tokens ?? 0) + (last?.cache_creation_input_tokens ?? 0);
  expect(sent).toBeGreaterThan(85_000);
  expect(sent).toBeLessThan(125_000);
  expect(bytes.length).toBeLessThanOrEqual(1_000_000);
});

test("every call has a result and every result a call", () => {
  expect(calls.length).toBeGreaterThan(100);
  const ids = calls.map((call) => call.id);
  expect(new Set(ids).size).toBe(ids.length);
  expect([...results.keys()]).toEqual(ids);
});

test("every line follows an earlier one, and time only advances", () => {
  const known = new Set<string | null | undefined>([null]);
  let time = 0;
  for (const { type, uuid, parentUuid, timestamp } of lines) {
    if (type === "file-history-snapshot") continue;
    expect(known).toContain(parentUuid);
    expect(known).not.toContain(uuid);
    known.add(uuid);
    const next = Date.parse(timestamp ?? "");
    expect(next).toBeGreaterThanOrEqual(time);
    time = next;
  }
});

test("the cache is cold at the start and after each of two long pauses", () => {
  const cold = steps.flatMap((step, index) =>
    step.message?.usage?.cache_read_input_tokens === 0 ? [index] : [],
  );
  expect(cold).toHaveLength(3);
  for (const index of cold.slice(1)) {
    const before = Date.parse(steps[index - 1]?.timestamp ?? "");
    expect(Date.parse(steps[index]?.timestamp ?? "") - before).toBeGreaterThan(5 * 60_000);
  }
});

test("the project's tests fail on the way and pass at the end", () => {
  const runs = calls
    .filter((call) => call.input?.command?.endsWith("test/all.js"))
    .map(({ id }) => results.get(id));
  expect(runs.some((run) => run?.is_error)).toBe(true);
  expect(runs.at(-1)?.content).toMatch(/\n15\d passed, 0 failed/);
});

test("nothing in it shows where it was made", () => {
  for (const trace of [tmpdir(), "coppice"]) {
    expect(text.includes(trace), trace).toBe(false);
  }
});

test("Coppice reads it without issues", () => {
  const read = parseRecording(text, file);
  if (!read.ok) throw new Error(read.issue.message);
  expect(read.value).toMatchObject({
    source: "claude-code",
    issues: [],
    skipped: 0,
    models: ["claude-sonnet-4-5-20250929"],
  });
  expect(read.value.segments).toHaveLength(1);
});

/** Starts some fifty processes: seconds on an idle machine, much more on a busy one. */
test("the generator gives the same bytes again", { timeout: 180_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), "coppice-test-"));
  try {
    const again = join(folder, "again.jsonl");
    execFileSync(process.execPath, [resolve("scripts/make-sample.mjs"), again]);
    expect(readFileSync(again).equals(bytes)).toBe(true);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
