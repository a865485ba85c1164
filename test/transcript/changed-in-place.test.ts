import fc from "fast-check";
import { expect, test } from "vitest";
import { FORMAT_NAMES } from "../../src/formats/detect.ts";
import type { FormatName } from "../../src/formats/format.ts";
import { createPruner, type PrunerOptions } from "../../src/pruner.ts";
import { copyValue } from "../../src/transcript/copy-value.ts";
import { sameValue } from "../../src/transcript/same-value.ts";
import { render, scripts } from "../generate.ts";
import { ownSeed } from "../own-seed.ts";

type Container = Record<string, unknown>;

/** Every place of a value that can change without a new object. */
function listPlaces(value: unknown): readonly { readonly inside: Container; readonly key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = value as Container;
  return Object.keys(inside).flatMap((key) => [{ inside, key }, ...listPlaces(inside[key])]);
}

/** One change of the kind that the value allows. */
function change(inside: Container, key: string, kind: number): void {
  const value = inside[key];
  if (kind === 0) delete inside[key];
  else if (typeof value === "string") inside[key] = kind === 1 ? `${value} changed` : "src/b.ts";
  else if (typeof value === "number") inside[key] = value + 1;
  else if (typeof value === "boolean") inside[key] = !value;
  else if (Array.isArray(value)) value.push(structuredClone(value[0] ?? "new"));
  else if (typeof value === "object" && value !== null) (value as Container).added = { deep: [1] };
  else inside[key] = "new";
}

const OPTIONS: PrunerOptions = {
  agentTools: true,
  prefixTokens: 0,
  config: { schedule: { mode: "eager" }, strategies: { aggressivePruning: { preset: "compact" } } },
};

test.each(FORMAT_NAMES)("%s: every change by the host in place is noticed", (format) => {
  const touched = new Set<string>();
  fc.assert(
    fc.property(
      scripts({ reasoning: "plain" }),
      fc.nat(),
      fc.integer({ min: 0, max: 2 }),
      (script, at, kind) => {
        const session = render(script, format);
        const messages = structuredClone(session.messages) as unknown[];
        const request = { meta: session.meta, model: "claude-sonnet-4-5" };
        const live = createPruner({ ...OPTIONS, format });
        live.prune(messages, request);
        const places = messages.flatMap(listPlaces);
        const place = places[at % places.length];
        if (!place) return;
        touched.add(place.key);
        change(place.inside, place.key, kind);
        expect(summary(live.prune(messages, request))).toEqual(
          summary(createPruner({ ...OPTIONS, format }).prune(messages, request)),
        );
      },
    ),
    { numRuns: 25, endOnFailure: true, ...ownSeed(format) },
  );
  expect(touched.size).toBeGreaterThan(8);
});

function summary({ messages, report }: ReturnType<ReturnType<typeof createPruner>["prune"]>): unknown {
  const { edits, bill, tokens, waiting } = report;
  return { messages: JSON.stringify(messages), edits, bill, tokens, waiting };
}

/** A call whose input is an object of the host's, and its result. */
const CALLS: readonly (readonly [FormatName, (input: unknown, id: string) => readonly unknown[]])[] = [
  [
    "anthropic-messages",
    (input, id) => [
      { role: "assistant", content: [{ type: "tool_use", id, name: "lookup", input }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: LONG }] },
    ],
  ],
  [
    "ai-sdk",
    (input, toolCallId) => [
      { role: "assistant", content: [{ type: "tool-call", toolCallId, toolName: "lookup", input }] },
      {
        role: "tool",
        content: [
          { type: "tool-result", toolCallId, toolName: "lookup", output: { type: "text", value: LONG } },
        ],
      },
    ],
  ],
  [
    "pi",
    (input, id) => [
      {
        role: "assistant",
        content: [{ type: "toolCall", id, name: "lookup", arguments: input }],
        timestamp: 1,
      },
      {
        role: "toolResult",
        toolCallId: id,
        toolName: "lookup",
        content: [{ type: "text", text: LONG }],
        timestamp: 1,
      },
    ],
  ],
  [
    "openai-chat",
    (input, id) => [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id, type: "function", function: { name: "lookup", arguments: input } }],
      },
      { role: "tool", tool_call_id: id, content: LONG },
    ],
  ],
  [
    "openai-responses",
    (input, call_id) => [
      { type: "function_call", call_id, name: "lookup", arguments: input },
      { type: "function_call_output", call_id, output: LONG },
    ],
  ],
  [
    "opencode",
    (input, callID) => [
      {
        info: { role: "assistant", id: callID },
        parts: [
          { type: "step-start" },
          { type: "tool", callID, tool: "lookup", state: { status: "completed", input, output: LONG } },
        ],
      },
    ],
  ],
  [
    "gemini",
    (args, id) => [
      { role: "model", parts: [{ functionCall: { id, name: "lookup", args } }] },
      { role: "user", parts: [{ functionResponse: { id, name: "lookup", response: { output: LONG } } }] },
    ],
  ],
];
const LONG = "a line of some length that is the same in both results\n".repeat(80);

test.each(CALLS)("%s: a number deep in its input distinguishes a call from its twin", (format, call) => {
  const user =
    format === "opencode"
      ? { info: { role: "user", id: "u" }, parts: [{ type: "text", text: "go" }] }
      : { role: "user", content: [{ type: "text", text: "go" }], timestamp: 1 };
  const input = { filePath: "a.ts", range: { offset: 1, limit: 5 } };
  const messages = [user, ...call(input, "c1"), ...call(structuredClone(input), "c2")];
  const live = createPruner({ ...OPTIONS, format });
  const before = live.prune(messages).report.edits;
  input.range.offset = 900;
  const now = live.prune(messages);
  expect(before).toHaveLength(1);
  expect(now.report.edits).toEqual([]);
  expect(summary(now)).toEqual(summary(createPruner({ ...OPTIONS, format }).prune(messages)));
});

test.each(["opencode", "anthropic-messages"] as const)(
  "%s: usage and times that the host changes in place in `meta` are noticed",
  (format) => {
    const script = fc.sample(scripts({ reasoning: "none" }), { numRuns: 1, seed: 7 })[0] ?? fail();
    const { messages } = render(script, format);
    const meta = messages.map((_, i) => ({
      time: 1_000 * i,
      usage: { input: 900, cacheRead: 0, cacheWrite: 0, output: 10 },
    }));
    const live = createPruner({ ...OPTIONS, format });
    live.prune(messages, { meta });
    for (const each of meta) each.usage.cacheRead = 50_000;
    const cold = createPruner({ ...OPTIONS, format }).prune(messages, { meta });
    expect(summary(live.prune(messages, { meta }))).toEqual(summary(cold));
  },
);

function fail(): never {
  throw new Error("no session");
}

test.each<[string, () => unknown]>([
  ["a cycle", () => ring()],
  ["two ways round", () => Object.assign(ring(), { other: ring() })],
  ["10,000 levels", () => nest(10_000)],
  ["a shared object, doubled forty times", () => doubled(40)],
  ["a key that is no prototype", () => JSON.parse('{"__proto__":{"a":1},"b":[1,null,""]}')],
  ["no number", () => ({ a: Number.NaN })],
])("%s: copied, and equal to its original until that changes", (_, make) => {
  const value = make();
  const copy = copyValue(value);
  expect(copy === value).toBe(false);
  expect(sameValue(copy, value)).toBe(true);
  innermost(value).added = 1;
  expect(sameValue(copy, value)).toBe(false);
});

test("a date that is changed in place is noticed; bytes and a map are not copied", () => {
  const value = { at: new Date(5), bytes: new Uint8Array([1]), map: new Map([[1, 2]]) };
  const copy = copyValue(value) as typeof value;
  expect(sameValue(copy, value)).toBe(true);
  expect(copy.bytes).toBe(value.bytes);
  expect(copy.map).toBe(value.map);
  value.at.setTime(6);
  expect(copy.at).toEqual(new Date(5));
  expect(sameValue(copy, value)).toBe(false);
});

function ring(): Container {
  const value: Container = { path: "a", list: [1, { b: 2 }] };
  value.self = value;
  value.again = value;
  return value;
}

function nest(levels: number): unknown {
  let value: unknown = { end: true };
  for (let i = 0; i < levels; i++) value = { inner: value };
  return value;
}

function doubled(times: number): unknown {
  let value: unknown = { end: true };
  for (let i = 0; i < times; i++) value = { a: value, b: value };
  return value;
}

function innermost(value: unknown): Container {
  let found = value as Container;
  for (
    let next = found.inner ?? found.a;
    typeof next === "object" && next !== null;
    next = found.inner ?? found.a
  )
    found = next as Container;
  return found;
}
