import { describe, expect, test } from "vitest";
import { formatByName } from "../src/formats/detect.ts";
import { createPruner } from "../src/pruner.ts";

const call = (id: string, args: unknown = '{"path":"a"}') => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name: "read", arguments: args } }],
});
const result = (id: string, content: unknown = "text") => ({ role: "tool", tool_call_id: id, content });
const user = { role: "user", content: "go" };

function cyclic(): unknown {
  const input: Record<string, unknown> = { path: "a" };
  input.self = input;
  return { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "read", input }] };
}

describe("bad input is reported and made no worse", () => {
  test.each<[string, readonly unknown[], string]>([
    ["an empty list", [], "empty-input"],
    [
      "half a pair: no result",
      [user, call("c1"), { role: "assistant", content: "done" }, user],
      "call-without-result",
    ],
    ["half a pair: no call", [user, result("c1")], "result-without-call"],
    ["a result before its call", [user, result("c1"), call("c1")], "result-without-call"],
    ["repeated ids", [user, call("c1"), result("c1"), call("c1"), result("c1")], "repeated-call-id"],
    ["a 20 MB part", [user, call("c1"), result("c1", "x".repeat(20_000_000))], "huge-part"],
    ["invalid UTF-16", [user, call("c1"), result("c1", "half \ud83d a pair")], "invalid-utf16"],
    [
      "cyclic tool input",
      [user, cyclic(), { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "x" }] }],
      "cyclic-input",
    ],
    ["not messages at all", [1, null, "x"], "unknown-format"],
    ["a non-message among messages", [user, 7, { role: "assistant", content: "ok" }], "malformed-message"],
  ])("%s", (_, messages, code) => {
    const strategies = { aggressivePruning: { preset: "verbose" as const } };
    const pruner = createPruner({ config: { schedule: { mode: "eager" }, strategies } });
    const once = pruner.prune(messages);
    expect(once.report.issues.map((issue) => issue.code)).toContain(code);
    expect(once.messages.length).toBe(messages.length);
    expect(once.messages.every((message, i) => message === messages[i])).toBe(true);
    expect(pruner.prune(messages).messages).toEqual(once.messages);
  });
});

test("a huge part is reported, and is not sent whole", () => {
  const { messages, report } = createPruner().prune([
    user,
    call("c1"),
    result("c1", "a line of some length, of a great many\n".repeat(300_000)),
  ]);
  expect(report.issues.map(({ code }) => code)).toContain("huge-part");
  expect(JSON.stringify(messages).length).toBeLessThan(50_000);
});

test("repeated ids in duplicates: the right results are cut, and calls keep their results", () => {
  const long = Array.from({ length: 80 }, (_, i) => `line ${i} of the file`).join("\n");
  const messages = [
    user,
    call("c"),
    result("c", long),
    call("c"),
    result("c", long),
    call("c"),
    result("c", long),
  ];
  const { messages: out, report } = createPruner({ config: { schedule: { mode: "eager" } } }).prune(messages);
  expect(out.map((message, i) => message === messages[i])).toEqual([
    true,
    true,
    false,
    true,
    false,
    true,
    true,
  ]);
  expect(report.edits.length).toBe(2);
  const codes = (list: readonly unknown[]) =>
    formatByName("openai-chat")
      .validate(list, "none")
      .map(({ code }) => code);
  expect(codes(out)).toEqual(codes(messages));
});

test("every issue names the problem and its place", () => {
  const { report } = createPruner().prune([user, call("c1"), call("c1"), result("zzz")]);
  expect(report.issues.length).toBeGreaterThan(0);
  for (const { message } of report.issues) expect(message.length).toBeGreaterThan(20);
});

test.each([[null], [undefined], ["text"], [{ messages: [] }]])(
  "not a list, %o: reported, and returned unchanged",
  (input) => {
    const { messages, report } = createPruner().prune(input as unknown as unknown[]);
    expect(messages).toBe(input);
    expect(report.issues).toMatchObject([{ code: "unreadable-input" }]);
  },
);

test.each<[string, unknown, unknown, number]>([
  ["dates", new Date(1), new Date(2), 0],
  ["the same date", new Date(1), new Date(1), 1],
  ["maps", new Map([["a", 1]]), new Map([["a", 2]]), 0],
  ["sets", new Set([1]), new Set([2]), 0],
])("calls that differ only in non-JSON values, %s", (_, first, second, cuts) => {
  const long = Array.from({ length: 80 }, (_, i) => `line ${i} of the answer`).join("\n");
  const step = (id: string, since: unknown) => [
    { role: "assistant", content: [{ type: "tool_use", id, name: "look_up", input: { since } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: long }] },
  ];
  const pruner = createPruner({ config: { schedule: { mode: "eager" } } });
  expect(pruner.prune([user, ...step("a", first), ...step("b", second), user]).report.edits.length).toBe(
    cuts,
  );
});
