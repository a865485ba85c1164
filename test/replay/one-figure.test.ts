import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const HOME = resolve(".tmp/one-figure");

/** The built command, as people run it: without a configuration. */
function run(script: string, ...args: readonly string[]) {
  const env = { PATH: process.env.PATH, HOME, XDG_CACHE_HOME: join(HOME, "cache") };
  const options = { cwd: HOME, env, encoding: "utf8", maxBuffer: 2 ** 28 } as const;
  return JSON.parse(execFileSync(process.execPath, [resolve(script), ...args, "--json"], options));
}

interface Figures {
  readonly paid: number;
  readonly estimated: number;
  readonly left: number;
}

const WAYS: Readonly<Record<string, (file: string) => Figures>> = {
  demo: (file) => {
    const { bill } = run("scripts/demo.mjs", file);
    return { paid: bill.paid.dollars, estimated: bill.paid.estimated, left: bill.dollars };
  },
  analyze: (file) => {
    const { dollars, estimated, avoidable } = run("dist/cli/main.js", "analyze", file);
    return { paid: dollars, estimated, left: dollars - avoidable };
  },
  report: (file) => {
    const { dollars } = run("dist/cli/main.js", "report", file).bill;
    return { paid: dollars.without, estimated: dollars.estimated, left: dollars.with };
  },
  replay: (file) => {
    const { paid, policies } = run("dist/cli/main.js", "replay", file, "--policy", "coppice");
    return { paid: paid.dollars, estimated: paid.estimated, left: policies[0].dollars };
  },
};

/** A session of two models, with a subagent, of which only a part has usage. */
function makeSession(): string {
  const usage = { input_tokens: 12, cache_read_input_tokens: 21_000, output_tokens: 300 };
  const written = { ephemeral_1h_input_tokens: 3_000, ephemeral_5m_input_tokens: 500 };
  const lines: object[] = [];
  let last: string | null = null;
  const add = (type: string, message: object, more: object = {}) => {
    const uuid = `u${lines.length}`;
    const timestamp = new Date(Date.UTC(2026, 5, 1, 9, lines.length)).toISOString();
    lines.push({ type, uuid, parentUuid: last, sessionId: "s", timestamp, message, ...more });
    last = uuid;
  };
  add("user", { role: "user", content: "Find out why the tests fail." });
  for (let i = 0; i < 40; i++) {
    const model = i < 25 ? "claude-opus-4-6" : "claude-sonnet-4-5";
    const counted =
      i % 5 === 4 ? {} : { usage: { ...usage, cache_creation_input_tokens: 3_500, cache_creation: written } };
    const content = [
      { type: "tool_use", id: `call${i}`, name: "Read", input: { file_path: `/w/${i % 4}.ts` } },
    ];
    add("assistant", { role: "assistant", id: `m${i}`, model, content, ...counted });
    const text = `export const value${i} = ${i};\n`.repeat(150);
    add("user", { role: "user", content: [{ type: "tool_result", tool_use_id: `call${i}`, content: text }] });
  }
  add(
    "assistant",
    { role: "assistant", id: "side", model: "claude-haiku-4-5", content: [], usage },
    { isSidechain: true },
  );
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

const MADE = join(HOME, "made.jsonl");
const SAMPLE = resolve("samples/discount-service.jsonl");

beforeAll(() => {
  rmSync(HOME, { recursive: true, force: true });
  mkdirSync(HOME, { recursive: true });
  writeFileSync(MADE, makeSession());
});
afterAll(() => rmSync(HOME, { recursive: true, force: true }));

describe.each([
  ["the sample", SAMPLE],
  ["two models, a subagent, usage in parts", MADE],
])("one session, one figure: %s", (_, file) => {
  let expected: Figures | undefined;
  beforeAll(() => {
    expected = WAYS.replay?.(file);
  });

  test.each(["demo", "analyze", "report"])("%s", (way) => {
    const { paid, estimated, left } = WAYS[way]?.(file) ?? { paid: 0, estimated: 0, left: 0 };
    expect(paid).toBeGreaterThan(0.5);
    expect(left).toBeLessThan(paid);
    expect(paid).toBeCloseTo(expected?.paid ?? 0, 6);
    expect(estimated).toBeCloseTo(expected?.estimated ?? 0, 6);
    expect(left).toBeCloseTo(expected?.left ?? 0, 6);
    expect(estimated > 0).toBe(file === MADE);
  });
});
