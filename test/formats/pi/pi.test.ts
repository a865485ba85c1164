import { describe, expect, it } from "vitest";
import { exportLedger, restoreMessages } from "../../../src/edits/inverse.ts";
import { MessageBench } from "../../../src/edits/message-bench.ts";
import { decodeMessages } from "../../../src/formats/intake/decode.ts";
import { requestEnds } from "../../../src/formats/intake/request-ends.ts";
import { makePiCommand } from "../../../src/formats/pi/command.ts";
import { pi } from "../../../src/formats/pi/pi.ts";
import { createPruner } from "../../../src/pruner.ts";
import { collectShakeRegions } from "../../../src/strategies/shake/collect-shake-regions.ts";
import { AGGRESSIVE_SHAKE_CONFIG } from "../../../src/strategies/shake/shake-config.ts";
import { textOf } from "../../conversation.ts";
import { dropPlan } from "../../plans.ts";
import { changesOf, describeFormat } from "../conformance.ts";

const extra = { x_vendor: { keep: true } };
let clock = 1_000;
const at = () => ({ timestamp: clock++ });
const text = (value: string, more: object = {}) => ({ type: "text", text: value, ...more });
const call = (id: string, args: unknown = { path: "a.ts" }, more: object = {}) => ({
  type: "toolCall",
  id,
  name: "read",
  arguments: args,
  ...more,
});
const user = (content: unknown, more: object = {}) => ({ role: "user", content, ...at(), ...more });
const assistant = (content: unknown, more: object = {}) => ({
  role: "assistant",
  content,
  api: "anthropic-messages",
  provider: "anthropic",
  model: "claude-sonnet-4-5",
  usage: { input: 10, output: 5, cacheRead: 100, cacheWrite: 20, totalTokens: 135 },
  stopReason: "stop",
  ...at(),
  ...more,
});
const result = (id: string, content: unknown = [text("done")], more: object = {}) => ({
  role: "toolResult",
  toolCallId: id,
  toolName: "read",
  content,
  isError: false,
  ...at(),
  ...more,
});

const tools = [
  user([text("Look:", extra), { type: "image", data: "AAAA", mimeType: "image/png" }, { type: "x_future" }]),
  assistant([
    { type: "thinking", thinking: "Signed.", thinkingSignature: "c2ln" },
    text("On it.", extra),
    call("c1", { path: "a.ts", edits: [{ "old/~": "one" }] }, extra),
    call("c2", {}, { thoughtSignature: "t" }),
  ]),
  result("c2", [text("no such file", extra)], { isError: true, details: { exit: 1 } }),
  result("c1", [text("first"), { type: "image", data: "AAAA", mimeType: "image/png" }, text("second")]),
  assistant([
    { type: "thinking", thinking: "", thinkingSignature: "ZW5j", redacted: true },
    { type: "thinking", thinking: "In the open." },
    text("Done."),
  ]),
  user("More."),
];

const own = [
  { role: "compactionSummary", summary: "So far.", tokensBefore: 9, timestamp: 5_000 },
  { role: "user", content: "An older one that was kept.", timestamp: 4_000 },
  { role: "branchSummary", summary: "What was tried.", fromId: "e1", timestamp: 5_100 },
  { role: "custom", customType: "todo", content: "Remember.", display: false, timestamp: 5_200 },
  { role: "custom", customType: "shot", content: [text("See.")], display: true, timestamp: 5_300 },
  {
    role: "bashExecution",
    command: "git status",
    output: "clean",
    exitCode: 0,
    cancelled: false,
    truncated: false,
    timestamp: 5_400,
  },
  {
    role: "bashExecution",
    command: "cat secret",
    output: "hush",
    exitCode: 0,
    cancelled: false,
    truncated: false,
    excludeFromContext: true,
    timestamp: 5_500,
  },
  { role: "assistant", content: [text("half a"), call("c9")], stopReason: "aborted", timestamp: 5_600 },
  { role: "user", content: "Go on.", timestamp: 5_700 },
];

/** As an extension gets it on `context_with_system`, from pi 0.87 on. */
const prompted = [
  { role: "system", content: "", sections: { role: "You help.", tools: "read" }, timestamp: 5_800 },
  user("Go."),
  { role: "system", content: "Be brief.", timestamp: 5_801 },
  assistant([text("Done.")]),
];

/** As a session has them: each with an id and that of its parent. */
const entry = (type: string, index: number, more: object) => ({
  type,
  id: `e${index}`,
  parentId: index === 0 ? null : `e${index - 1}`,
  timestamp: new Date(6_000 + index).toISOString(),
  ...extra,
  ...more,
});
const entries = [
  ...tools.map((message, i) => entry("message", i, { message })),
  entry("model_change", 6, { provider: "anthropic", modelId: "claude-sonnet-4-5" }),
  entry("custom_message", 7, { customType: "todo", content: "Remember.", display: false }),
  entry("custom_message", 8, { customType: "shot", content: [text("See.")], display: true }),
  entry("branch_summary", 9, { summary: "What was tried.", fromId: "e1" }),
  entry("custom", 10, { customType: "state", data: { n: 1 } }),
  entry("message", 11, { message: user("Go on.") }),
];

describeFormat(pi, {
  stamp: "prunedAt",
  good: { tools, own, prompted, entries },
  broken: {
    "no message": { messages: ["hello"], code: "malformed-message" },
    "an assistant without a list": { messages: [assistant("hi")], code: "malformed-message" },
    "a summary without text": { messages: [{ role: "branchSummary" }], code: "malformed-message" },
    "a call without result": { messages: [assistant([call("c1")])], code: "call-without-result" },
    "a result without call": { messages: [result("c1")], code: "result-without-call" },
    "a result of a response that was stopped": {
      messages: [assistant([call("c1")], { stopReason: "aborted" }), result("c1")],
      code: "result-without-call",
    },
    "a result before its call": {
      messages: [result("c1"), assistant([call("c1")]), result("c1")],
      code: "result-before-call",
    },
    "two results": {
      messages: [assistant([call("c1")]), result("c1"), result("c1")],
      code: "repeated-call-id",
    },
    "an id used twice in one message": {
      messages: [assistant([call("c1"), call("c1")]), result("c1")],
      code: "repeated-call-id",
    },
    "thinking at the end": {
      messages: [assistant([text("x"), { type: "thinking", thinking: "y" }])],
      code: "reasoning-order",
    },
    "reasoning missing where it is required": {
      messages: [
        assistant([call("c1")]),
        result("c1"),
        assistant([{ type: "thinking", thinking: "hm" }, text("x")]),
      ],
      rule: "field",
      code: "reasoning-missing",
    },
  },
});

describe("results that oh-my-pi has pruned itself", () => {
  const pruned = (more: object = {}) => result("c1", [text(textOf(300))], { prunedAt: 7_000, ...more });
  const session = (first: unknown) => [
    user("go"),
    assistant([call("c1")]),
    first,
    assistant([call("c2")]),
    result("c2", [text(textOf(300, 2))]),
    user("More."),
  ];
  const config = {
    schedule: { mode: "eager" as const },
    strategies: { aggressivePruning: { preset: "compact" as const } },
  };

  it("is already cut: no pass cuts it, and no shake", () => {
    const cuts = (first: unknown) =>
      createPruner({ format: "pi", config }).prune(session(first)).report.edits.length;
    expect(cuts(result("c1", [text(textOf(300))]))).toBe(1);
    expect(cuts(pruned())).toBe(0);
    const entries = (first: unknown) =>
      collectShakeRegions(session(first), AGGRESSIVE_SHAKE_CONFIG).map(({ entry }) => entry);
    expect(entries(result("c1", [text(textOf(300))]))).toEqual([2, 4]);
    expect(entries(pruned())).toEqual([4]);
  });

  it("keeps its status, failed or not", () => {
    expect(pi.decode(pruned()).parts[0]).toMatchObject({ status: "cleared" });
    expect(pi.decode(pruned()).parts[0]).not.toHaveProperty("failed");
    expect(pi.decode(pruned({ isError: true })).parts[0]).toMatchObject({ status: "cleared", failed: true });
    const { facts } = new MessageBench([user("go"), assistant([call("c1")]), pruned({ isError: true })], {
      format: "pi",
    });
    expect(facts.calls.of(2)?.ok).toBe(false);
  });

  it("is stamped when Coppice cuts it: with the result's own time, which is removed with the cut", () => {
    const messages = session(result("c1", [text(textOf(300))], { timestamp: 4_242 }));
    const { messages: out, sources, report } = createPruner({ format: "pi", config }).prune(messages);
    expect(out[2]).toMatchObject({ prunedAt: 4_242, timestamp: 4_242 });
    expect(out[4]).toBe(messages[4]);
    const ledger = exportLedger(messages, { messages: out, sources }, report.edits);
    expect(JSON.stringify(restoreMessages(out, ledger))).toBe(JSON.stringify(messages));
    expect(createPruner({ format: "pi", config }).prune(out).report.edits).toEqual([]);
  });

  it("is not stamped for a tag", () => {
    const tagged = pi.rewrite(
      tools[2],
      changesOf([["content", "content/0", "no such file\n<tool_hash>a1b2c3</tool_hash>"]]),
    );
    expect(tagged).not.toHaveProperty("prunedAt");
  });
});

describe("pi", () => {
  it("a system prompt is the system's, in sections or as a text", () => {
    expect(pi.decode(prompted[0])).toMatchObject({
      role: "system",
      parts: [{ kind: "marker", role: "system" }],
    });
    expect(pi.decode(prompted[2])).toMatchObject({
      role: "system",
      parts: [{ kind: "text", role: "system" }],
    });
    for (const message of [prompted[0], prompted[2]])
      expect(pi.decode(message)).not.toHaveProperty("customType");
  });

  it("our message carries a person's command to Coppice", () => {
    const command = { action: "restore", target: "all" } as const;
    expect(pi.decode(makePiCommand(command)).parts).toMatchObject([{ kind: "marker", leaves: [], command }]);
    expect(pi.decode({ ...makePiCommand(command), customType: "other" }).parts).toEqual([]);
  });

  const parts = (message: unknown) => pi.decode(message).parts.map(({ kind, slot }) => `${kind} ${slot}`);

  it.each([
    [tools[0], ["text 0", "file 1", "opaque 2"]],
    [tools[1], ["reasoning 0", "text 1", "call 2", "call 3"]],
    [tools[3], ["result content"]],
    [own[0], ["text text"]],
    [own[4], ["text 0"]],
    [own[6], ["marker text"]],
    [own[7], ["marker 0", "marker 1"]],
    [{ role: "toolResult", content: "?" }, ["opaque "]],
    [{ role: "later" }, ["opaque "]],
  ])("decodes %j", (message, expected) => expect(parts(message)).toEqual(expected));

  it("reads times, models and usage", () => {
    expect(pi.decode(tools[1])).toMatchObject({
      time: 1_001,
      model: "claude-sonnet-4-5",
      usage: { input: 10, output: 5, cacheRead: 100, cacheWrite: 20 },
    });
    expect(pi.decode(own[7])).not.toHaveProperty("usage");
  });

  it("reads the name of a message of pi's own", () => {
    expect(own.map((message) => pi.decode(message).customType)).toEqual([
      "compactionSummary",
      undefined,
      "branchSummary",
      "todo",
      "shot",
      "bashExecution",
      "bashExecution",
      undefined,
      undefined,
    ]);
  });

  it("a stopped response is not a request, and its call needs no result", () => {
    expect(pi.decode(own[7]).parts.some(({ opensStep }) => opensStep)).toBe(false);
  });

  it("a compaction starts a segment: the summary and the tail after it are one input", () => {
    const kept = assistant([text("Old.")], { timestamp: 4_500 });
    const list = [
      own[0],
      own[1],
      kept,
      user("Now.", { timestamp: 6_000 }),
      assistant([text("New.")], { timestamp: 6_001 }),
    ];
    expect(pi.decode(own[0])).toMatchObject({ isCompaction: true });
    expect(requestEnds(decodeMessages(pi, list))).toEqual([4, 5]);
  });

  it("with Chat Completions, a signature is the name of a field", () => {
    const thinking = [
      { type: "thinking", thinking: "hm", thinkingSignature: "reasoning_content" },
      text("x"),
    ];
    const message = assistant(thinking, { api: "openai-completions" });
    expect(pi.decode(message).parts[0]).toMatchObject({ signed: false });
    expect(pi.rewrite(message, changesOf([["0", "text", "h"]]))).toMatchObject({
      content: [{ thinking: "h", thinkingSignature: "reasoning_content" }, text("x")],
    });
    expect(pi.decode(assistant(thinking)).parts[0]).toMatchObject({ signed: true });
  });

  it("a missing result is mended by pi, and so only a warning", () => {
    expect(pi.validate([assistant([call("c1")])], "none")).toMatchObject([{ severity: "warning" }]);
  });

  it("a note is as old as the newest message", () => {
    expect(pi.placeNote(own, "note").messages.at(-1)).toEqual({
      role: "user",
      content: [text("note")],
      timestamp: 5_700,
    });
  });

  it("leaves no message with only thinking", () => {
    const message = assistant([{ type: "thinking", thinking: "hm", thinkingSignature: "s" }, call("c1")]);
    expect(pi.rewrite(message, changesOf([], ["1"]))).toBeUndefined();
  });
});

describe("a reasoning item of the Responses API", () => {
  const thinking = {
    type: "thinking",
    thinking: "hm",
    thinkingSignature: '{"type":"reasoning","id":"rs_1"}',
  };
  const session = [
    user("Go."),
    assistant([thinking, text("On it.", { textSignature: "msg_1" }), call("c1|fc_1")], {
      api: "openai-responses",
    }),
    result("c1|fc_1", [text("long ".repeat(50))]),
    user("Next."),
  ];
  const drop = (part: number) => {
    const bench = new MessageBench(session, { format: "pi" });
    const cut = bench.cut(dropPlan(part));
    return cut.ok ? bench.rewrite().messages : cut.issue.message;
  };

  it("stays while its call does: the call's id identifies it", () => {
    expect(drop(1)).toContain("the provider requires it together with the part after it");
  });
  it("is dropped with its call, and the remaining text loses its id", () => {
    expect(drop(3)).toEqual([session[0], { ...session[1], content: [text("On it.")] }, session[3]]);
  });
});
