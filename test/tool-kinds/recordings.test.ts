import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { isRecord } from "../../src/basics/json.ts";
import { stateQuestion } from "../../src/tool-kinds/state-query.ts";
import { createToolKinds } from "../../src/tool-kinds/tool-kinds.ts";
import type { ToolUse } from "../../src/tool-kinds/tool-use.ts";

/** Recorded sessions beside the repository, read where they are present; the test passes without them. */
const sessions = path.resolve("../shared/data/sessions");

/**
 * Tools that really belong to no kind. Those for the documentation of libraries are not web searches: the same query
 * about another library does not replace the first.
 */
const OTHERS =
  /^(?:ask|submit|finish|task_?done|think|(?:enter|exit)_?plan|tool_?search|report|action$|javascript_tool|navigate|resize_window|sql|preview|send|transfer|calculate|book|cancel|update_(?:reservation|issue)|query-docs|resolve-library-id)/;

/** One file, shown whole or in part, and nothing else: `cd src && sed -n '1,40p' a.ts`. */
const PLAIN_VIEW =
  /^(?:cd [\w./-]+ && )?(?:cat|nl -ba|sed -n ["']?\d+,\d+p["']?|(?:head|tail) (?:-n ?)?-?\d+) [\w./-]+$/;

const kinds = createToolKinds();

describe.skipIf(!existsSync(sessions))("recorded calls", () => {
  const calls: { readonly tool: string; readonly input: unknown; readonly use: ToolUse }[] = [];

  beforeAll(() => {
    for (const folder of readdirSync(sessions, { withFileTypes: true })) {
      if (!folder.isDirectory()) continue;
      for (const file of readdirSync(path.join(sessions, folder.name)).filter((name) =>
        name.endsWith(".gz"),
      )) {
        for (const [tool, input] of readCalls(path.join(sessions, folder.name, file))) {
          calls.push({ tool, input, use: kinds.describe(tool, input) });
        }
      }
    }
  }, 120_000);

  test("no frequent tool is without a kind", () => {
    const counts = new Map<string, number>();
    for (const { use } of calls) {
      if (use.kind === "other") counts.set(use.name, (counts.get(use.name) ?? 0) + 1);
    }
    expect(calls.length).toBeGreaterThan(5_000);
    expect([...counts].filter(([name, count]) => count > 4 && !OTHERS.test(name))).toEqual([]);
  });

  test("file tools name their file", () => {
    const silent = calls.filter(
      ({ input, use }) =>
        ["read", "write", "edit"].includes(use.kind) &&
        use.files.length === 0 &&
        hasKey(input, /path|patch/i),
    );
    expect(silent.map(({ tool, input }) => [tool, input])).toEqual([]);
  });

  test("shell lines are understood", () => {
    const lines = calls.filter(({ tool, use }) => use.command !== undefined && !/powershell/i.test(tool));
    const parsed = lines.filter(({ use }) => use.commands?.length);
    const asking = parsed.filter(({ use }) => stateQuestion(use) !== undefined);
    expect(parsed.length / lines.length).toBeGreaterThan(0.99);
    expect(asking.length / lines.length).toBeGreaterThan(0.05);
  });

  test("shell lines that only show a file read it", () => {
    const showing = calls.filter(({ use }) => PLAIN_VIEW.test(use.command ?? ""));
    const silent = showing.filter(({ use }) => !use.files.some(({ operation }) => operation === "read"));
    expect(showing.length).toBeGreaterThan(500);
    expect(silent.map(({ use }) => use.command)).toEqual([]);
  });
});

/** The tool calls in a recording of any agent, in any form. */
function* readCalls(file: string): Generator<readonly [tool: string, input: unknown]> {
  const text = gunzipSync(readFileSync(file)).toString();
  const lines = file.endsWith(".jsonl.gz") ? text.split("\n") : [text];
  const work: unknown[] = lines.flatMap((line) => parseJson(line) ?? []);
  while (work.length > 0) {
    const next = work.pop();
    if (typeof next !== "object" || next === null) continue;
    const found = isRecord(next) ? readCall(next) : undefined;
    if (found) yield found;
    for (const child of Object.values(next)) work.push(child);
  }
}

function readCall(block: Readonly<Record<string, unknown>>): readonly [string, unknown] | undefined {
  const { type, name, tool, state, toolName } = block;
  if (type === "tool_use" && typeof name === "string") return [name, block.input];
  if (type === "custom_tool_call" && typeof name === "string") return [name, block.input];
  if (type === "tool" && typeof tool === "string" && isRecord(state)) return [tool, state.input];
  if (typeof toolName === "string" && block.arguments) return [toolName, block.arguments];
  if (typeof name !== "string" || typeof block.description === "string") return undefined;
  const input = block.arguments ?? (block.id === undefined ? undefined : block.args);
  return input === undefined
    ? undefined
    : [name, typeof input === "string" ? (parseJson(input) ?? input) : input];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function hasKey(input: unknown, key: RegExp): boolean {
  return isRecord(input) && Object.keys(input).some((name) => key.test(name));
}
