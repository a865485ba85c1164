/**
 * How long one more step takes, how long a cold start takes against counting the tokens once, and what is kept in
 * memory. All in one run, so that the ratios mean something on any machine. Runs in Node and in Bun.
 */
import { execFileSync } from "node:child_process";
import { createPruner, estimateTokens } from "../src/index.ts";
import { loadTokenizer } from "../src/models/tokenizers.ts";
import { type Recording, readRecording } from "../src/recordings/index.ts";
import { coppicePolicy, prepareReplay } from "../src/replay/index.ts";
import { leavesOf, type Started } from "./leaves-of.ts";
import { makeSession } from "./long-session.ts";

const bun = process.versions.bun;
const runtime = bun === undefined ? `Node ${process.version}` : `Bun ${bun}`;
const REQUEST = { session: "s", model: "claude-sonnet-4-5" };

/** Parts of one step of the made session: a marker, a text, a call, a result. */
const PARTS_PER_STEP = 4;

interface Size {
  readonly label: string;
  readonly steps: number;
  readonly resultTokens: number;
}

const BASE: Size = { label: "200k tokens, 1,000 parts", steps: 250, resultTokens: 780 };
const DOUBLE: Size = { label: "400k tokens, 2,000 parts", steps: 500, resultTokens: 780 };

const made = ({ steps, resultTokens }: Size): Started => ({
  messages: makeSession(steps, resultTokens),
  format: "opencode",
});

/** Our own recording: less of its text comes twice than of the made session's, and counting it takes longer. */
async function readSample(): Promise<Started> {
  const read = await readRecording("samples/discount-service.jsonl");
  if (!read.ok) throw new Error(read.issue.message);
  const { format, segments } = read.value;
  return { messages: segments.at(-1)?.messages ?? [], format };
}

function quantile(sorted: readonly number[], q: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
}

/** Adds the last steps one by one, with fresh objects each time as OpenCode hands them over. */
function timeSteps({ steps, resultTokens }: Size): readonly number[] {
  const session = makeSession(steps, resultTokens);
  const times: number[] = [];
  for (let round = 0; round < 4; round++) {
    const pruner = createPruner({ agentTools: true });
    for (let end = session.length - 60; end <= session.length; end++) {
      const messages = structuredClone(session.slice(0, end));
      const started = performance.now();
      pruner.prune(messages, REQUEST);
      if (end > session.length - 60) times.push(performance.now() - started);
    }
  }
  return times.sort((a, b) => a - b);
}

function timeCold(session: Started): { readonly cold: number; readonly estimate: number } {
  const { format } = session;
  const cold: number[] = [];
  const estimate: number[] = [];
  for (let round = 0; round < 9; round++) {
    const messages = structuredClone(session.messages);
    const started = performance.now();
    createPruner({ agentTools: true, format }).prune(messages, REQUEST);
    cold.push(performance.now() - started);
    const texts = leavesOf({ messages: structuredClone(session.messages), format });
    const counting = performance.now();
    for (const text of texts) estimateTokens(text);
    estimate.push(performance.now() - counting);
  }
  return { cold: median(cold), estimate: median(estimate) };
}

async function timeExactCount(
  session: Started,
): Promise<{ readonly exact: number; readonly tokens: number }> {
  const tokenizer = await loadTokenizer("o200k");
  const texts = leavesOf(session);
  const times: number[] = [];
  let tokens = 0;
  for (let round = 0; round < 3; round++) {
    tokens = 0;
    const started = performance.now();
    for (const text of texts) tokens += tokenizer.count(text);
    times.push(performance.now() - started);
  }
  return { exact: median(times), tokens };
}

/** A whole session through the real fold, with bill and evidence. */
function timeReplay(): { readonly seconds: number; readonly requests: number; readonly peak: number } {
  const messages = makeSession(500, 560);
  const recording: Recording = {
    source: "opencode",
    format: "opencode",
    models: ["claude-sonnet-4-5"],
    segments: [{ messages, meta: messages.map(() => ({})), carried: 0 }],
    asides: [],
    issues: [],
    skipped: 0,
  };
  const started = performance.now();
  const { unpruned, run } = prepareReplay(recording);
  run(coppicePolicy());
  return {
    seconds: (performance.now() - started) / 1_000,
    requests: unpruned.requests.length,
    peak: unpruned.peak,
  };
}

/** Heap that a pruner holds after a session, over the characters of the session: the median of some processes. */
function measureMemory({ steps, resultTokens }: Size): number {
  // Code that the engine discards meanwhile is not the conversation's.
  const start = bun === undefined ? ["--expose-gc", "--no-flush-bytecode", "scripts/run-ts.mjs"] : [];
  const args = [...start, "bench/memory.ts", `${steps}`, `${resultTokens}`];
  const shares = Array.from({ length: 3 }, () => {
    const { kept, text } = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
    return kept / text;
  });
  return median(shares);
}

function median(times: number[]): number {
  return quantile(
    times.sort((a, b) => a - b),
    0.5,
  );
}

function show(label: string, value: string, limit = ""): void {
  console.log(`  ${label.padEnd(52)}${value.padStart(12)}   ${limit}`);
}

const ms = (value: number) => `${value.toFixed(2)} ms`;

timeSteps({ ...BASE, steps: 80 });
const base = timeSteps(BASE);
const double = timeSteps(DOUBLE);
const { cold, estimate } = timeCold(made(BASE));
const { exact } = await timeExactCount(made(BASE));
const recorded = await readSample();
const sample = { ...timeCold(recorded), ...(await timeExactCount(recorded)) };
const memory = measureMemory(BASE);
const replay = timeReplay();
const parts = BASE.steps * PARTS_PER_STEP + 1;

console.log(`\nCoppice speed, ${runtime} (${parts.toLocaleString("en")} parts)\n`);
show(`one more step at ${BASE.label}: median`, ms(quantile(base, 0.5)), "≤ 2 ms");
show("  p99", ms(quantile(base, 0.99)), "≤ 10 ms");
show(`one more step at ${DOUBLE.label}: median`, ms(quantile(double, 0.5)), "≤ 4 ms");
show("  p99", ms(quantile(double, 0.99)), "≤ 20 ms");
show("  over the smaller one", `${(quantile(double, 0.5) / quantile(base, 0.5)).toFixed(2)} ×`);
show("cold start at 200k tokens", ms(cold));
show("  over counting its tokens once (o200k)", `${(cold / exact).toFixed(2)} ×`, "≤ 1.5 ×");
show("  over the fixed estimator alone", `${(cold / estimate).toFixed(2)} ×`);
show(`cold start of a recorded session, ${Math.round(sample.tokens / 1_000)}k tokens`, ms(sample.cold));
show("  over counting its tokens once (o200k)", `${(sample.cold / sample.exact).toFixed(2)} ×`);
show("memory kept, over the text", `${memory.toFixed(2)} ×`, "≤ 4 ×");
show(
  `replay of ${replay.requests} requests up to ${Math.round(replay.peak / 1_000)}k tokens`,
  `${replay.seconds.toFixed(2)} s`,
  "≤ 3 s",
);
console.log();
