import { describe, expect, test } from "vitest";
import { keepLastResults } from "../../src/replay/peers.ts";
import { type Replay, replayRecording } from "../../src/replay/replay.ts";
import { noPruning, type ReplayPolicy } from "../../src/replay/replay-policy.ts";
import { answer, call, type Line, makeRecording, makeSegment, result, user } from "./make-recording.ts";

/** Every result is sent as a marker. */
const maskAll = keepLastResults(0);
const FILLER = "nothing of interest, but long enough to be worth a marker";

function replay(lines: readonly Line[], policy: ReplayPolicy): Replay {
  return replayRecording(makeRecording(lines), policy);
}

/** The evidence of the last request. */
function evidenceOf(lines: readonly Line[], policy: ReplayPolicy) {
  const last = replay(lines, policy).requests.at(-1);
  return { anchors: last?.evidence, edits: last?.editEvidence };
}

const NONE = { counted: 0, kept: 0 };

describe("an anchor counts", () => {
  const lists = call("c1", "shell", { command: "ls" });
  const cases: readonly (readonly [what: string, lines: readonly Line[], counted: number])[] = [
    [
      "first seen in a result",
      [user("go"), lists, result("c1", "see src/pricing.ts"), answer("src/pricing.ts it is")],
      1,
    ],
    ["first seen in a user message", [user("look at src/pricing.ts"), answer("src/pricing.ts it is")], 1],
    ["as part of something longer", [user("/srv/app/src/pricing.ts"), answer("so app/src/pricing.ts")], 1],
    [
      "in any string of an input, at any depth",
      [user("src/pricing.ts"), call("c1", "x", { a: [{ b: "cat src/pricing.ts" }] })],
      1,
    ],
    [
      "once for each step, however often it is said",
      [user("src/pricing.ts"), answer("src/pricing.ts src/pricing.ts")],
      1,
    ],
    ["not if nobody said it before", [user("go"), answer("src/pricing.ts")], 0],
    [
      "not if it comes later",
      [user("go"), answer("src/pricing.ts"), user("src/pricing.ts"), answer("ok")],
      0,
    ],
    ["not if it is not specific", [user("the pricing module"), answer("the pricing module")], 0],
    [
      "not if the model said it first",
      [
        user("go"),
        call("c1", "shell", { command: "cat src/pricing.ts" }),
        result("c1", "src/pricing.ts"),
        answer("src/pricing.ts"),
      ],
      0,
    ],
    [
      "not if the system said it first",
      [
        { message: { role: "system", content: "src/pricing.ts" }, meta: {} },
        user("src/pricing.ts"),
        answer("src/pricing.ts"),
      ],
      0,
    ],
  ];
  test.each(cases)("%s", (_, lines, counted) => {
    expect(evidenceOf(lines, noPruning).anchors).toEqual({ counted, kept: counted });
  });

  test("once for each kind of literal", () => {
    const literals = "src/pricing.ts order.total apply_rate applyRate https://acme.dev/a 9fceb02d0ae 4711";
    const lines = [user("go"), call("c1", "shell", {}), result("c1", literals), answer(literals)];
    // applyRate and order.total have 9 and 11 characters; 4711 is a number.
    expect(evidenceOf(lines, noPruning).anchors).toEqual({ counted: 7, kept: 7 });
    expect(evidenceOf(lines, maskAll).anchors).toEqual({ counted: 7, kept: 0 });
  });

  test("not if it came in the response's own message", () => {
    const tool = {
      type: "tool",
      callID: "c1",
      tool: "bash",
      state: { status: "completed", input: { command: "ls" }, output: "src/pricing.ts" },
    };
    const said = { type: "text", text: "src/pricing.ts" };
    const messages = [
      { info: { role: "user", id: "m1" }, parts: [{ type: "text", text: "go" }] },
      {
        info: { role: "assistant", id: "m2" },
        parts: [{ type: "step-start" }, tool, { type: "step-start" }, said],
      },
      { info: { role: "assistant", id: "m3" }, parts: [{ type: "step-start" }, said] },
    ];
    const segment = { messages, meta: messages.map(() => ({})), carried: 0 };
    const recording = { ...makeRecording([]), format: "opencode" as const, segments: [segment] };
    const counted = replayRecording(recording, noPruning).requests.map(({ evidence }) => evidence.counted);
    expect(counted).toEqual([0, 1]);
  });

  test("reasoning uses nothing", () => {
    const thought = {
      message: { role: "assistant", content: "ok", reasoning_content: "src/pricing.ts" },
      meta: {},
    };
    expect(evidenceOf([user("src/pricing.ts"), thought], noPruning).anchors).toEqual(NONE);
  });
});

describe("an anchor is kept", () => {
  const start = [
    user("go"),
    call("c1", "shell", { command: "ls" }),
    result("c1", `src/pricing.ts ${FILLER}`),
  ];

  test("not when a marker replaces the text that had it", () => {
    expect(evidenceOf([...start, answer("src/pricing.ts")], maskAll).anchors).toEqual({
      counted: 1,
      kept: 0,
    });
  });

  test("by any other copy: a user's, the model's own, a later result's", () => {
    for (const copy of [
      [answer("fine"), user("you saw src/pricing.ts")],
      [answer("I saw src/pricing.ts"), user("and?")],
      [call("c2", "shell", { command: "cat src/pricing.ts" }), result("c2", FILLER)],
    ]) {
      const lines = [...start, ...copy, answer("src/pricing.ts")];
      expect(evidenceOf(lines, maskAll).anchors).toEqual({ counted: 1, kept: 1 });
    }
  });

  test("by a text of the policy itself", () => {
    const summary = { role: "tool", tool_call_id: "c1", content: "[cut: src/pricing.ts and more]" };
    const policy: ReplayPolicy = {
      name: "summary",
      start: () => (messages) => messages.map((message, i) => (i === 2 ? summary : message)),
    };
    const lines = [...start, answer("src/pricing.ts")];
    expect(replay(lines, policy).requests[0]?.evidence).toEqual(NONE);
    expect(evidenceOf(lines, policy).anchors).toEqual({ counted: 1, kept: 1 });
  });

  test("again when the text comes back", () => {
    const lines = [
      ...start,
      answer("src/pricing.ts"),
      user("more"),
      answer("src/pricing.ts"),
      user("more"),
      answer("src/pricing.ts"),
    ];
    const mask = maskAll.start({
      source: "codex",
      format: "openai-chat",
      prices: {},
      prefixTokens: 0,
      isRecorded: false,
    });
    const policy: ReplayPolicy = {
      name: "undo",
      start: () => (messages, request) => (request.index === 2 ? mask(messages, request) : messages),
    };
    // The model's own text keeps it from its first use on: it is in the history by then.
    const other = lines.with(3, answer("ok"));
    expect(replay(other, policy).requests.map(({ evidence }) => evidence)).toEqual([
      NONE,
      NONE,
      { counted: 1, kept: 0 },
      { counted: 1, kept: 1 },
    ]);
  });
});

describe("edit anchors", () => {
  const line = "  const total = sum(lines) * rate;";
  const read = [
    user("fix it"),
    call("r", "read", { path: "a.ts" }),
    result("r", `1\t{\n2\t${line}\n3\t}\n${FILLER}`),
  ];
  const edit = call("e", "edit", { path: "a.ts", old_string: `{\n${line}\n}`, new_string: "{}" });

  test("are the lines that an edit replaces", () => {
    expect(evidenceOf([...read, edit], noPruning).edits).toEqual({ counted: 1, kept: 1 });
    expect(evidenceOf([...read, edit], maskAll).edits).toEqual({ counted: 1, kept: 0 });
  });

  test("are no edit anchors in a call of another kind", () => {
    const note = call("e", "remember", { old_string: line });
    expect(evidenceOf([...read, note], noPruning).edits).toEqual(NONE);
  });

  test("do not count when the model wrote the line itself", () => {
    const write = [user("go"), call("w", "write", { path: "a.ts", content: line }), result("w", "written")];
    expect(evidenceOf([...write, edit], noPruning).edits).toEqual(NONE);
  });

  test("of a patch are the removed lines", () => {
    const patch = `*** Begin Patch\n*** Update File: a.ts\n@@\n-${line}\n+const total = 0;\n*** End Patch`;
    expect(evidenceOf([...read, call("p", "apply_patch", { input: patch })], maskAll).edits).toEqual({
      counted: 1,
      kept: 0,
    });
  });
});

describe("lost edits", () => {
  const first = "  const total = sum(lines) * rate;";
  const second = "  return round(total, precision);";
  const read = [
    user("fix it"),
    call("r", "read", { path: "a.ts" }),
    result("r", `1\t{\n2\t${first}\n3\t${second}\n4\t}\n${FILLER}`),
  ];
  const replace = (...lines: readonly string[]) => ({
    path: "a.ts",
    old_string: lines.join("\n"),
    new_string: "{}",
  });
  const keepFirst: ReplayPolicy = {
    name: "keeps the first line",
    start: () => (messages) =>
      messages.map((message, i) => (i === 2 ? result("r", `2\t${first}`).message : message)),
  };
  const lostOf = (lines: readonly Line[], policy: ReplayPolicy) =>
    replay(lines, policy).requests.at(-1)?.lostEdits;

  test.each([
    ["nothing is cut", noPruning, 0],
    ["one of its lines is cut", keepFirst, 1],
    ["all of its lines are cut", maskAll, 1],
  ])("an edit of two lines when %s", (_, policy, lost) => {
    const lines = [...read, call("e", "edit", replace(first, second))];
    expect(lostOf(lines, policy)).toEqual({ counted: 1, lost });
  });

  test("several edits of one step count separately", () => {
    const { message, meta } = call("e1", "edit", replace(first));
    const other = call("e2", "edit", replace(second)).message as { readonly tool_calls: readonly unknown[] };
    const own = message as typeof other;
    const both = { meta, message: { ...own, tool_calls: [...own.tool_calls, ...other.tool_calls] } };
    expect(lostOf([...read, both], keepFirst)).toEqual({ counted: 2, lost: 1 });
  });

  test("an edit counts only with a line that came from a result or a user", () => {
    const unseen = call("e", "edit", replace("  const nobodySawThis = true;"));
    expect(lostOf([...read, unseen], maskAll)).toEqual({ counted: 0, lost: 0 });
    const create = call("e", "edit", { path: "b.ts", old_string: "", new_string: "x" });
    expect(lostOf([...read, create], maskAll)).toEqual({ counted: 0, lost: 0 });
  });

  test("add up over a session", () => {
    const edit = (id: string) => [call(id, "edit", replace(second)), result(id, "done")];
    const forget: ReplayPolicy = {
      name: "forgets everything after the second request",
      start:
        () =>
        (messages, { index }) =>
          index < 2 ? messages : [user("fix it").message],
    };
    const { lostEdits } = replay([...read, ...edit("e1"), ...edit("e2")], forget);
    expect(lostEdits).toEqual({ counted: 2, lost: 1 });
  });
});

test("a compaction starts a new history", () => {
  const first = [user("src/pricing.ts"), answer("src/pricing.ts")];
  const forgotten = makeSegment([user("go on"), answer("src/pricing.ts")], 1);
  const told = makeSegment([user("so far: src/pricing.ts"), answer("src/pricing.ts")], 1);
  const { requests, evidence } = replayRecording(makeRecording(first, forgotten, told), noPruning);
  expect(requests.map(({ evidence: { counted } }) => counted)).toEqual([1, 0, 1]);
  expect(evidence).toEqual({ counted: 2, kept: 2 });
});

describe("own words", () => {
  /** The text of calls leaves the view. */
  const forgetCalls: ReplayPolicy = {
    name: "forget calls",
    start: () => (messages) =>
      messages.map((message) =>
        JSON.stringify(message).includes("tool_calls")
          ? (call("c1", "write", {}).message as object)
          : message,
      ),
  };
  const lines = [
    user("go"),
    call("c1", "write", { filePath: "src/pricing.ts", content: "const discountRate = 3;" }),
    result("c1", "ok"),
    call("c2", "edit", {
      filePath: "src/pricing.ts",
      oldString: "const discountRate = 3;",
      newString: "4",
    }),
  ];

  test("are text that the agent wrote first and uses again: names, and lines that it edits", () => {
    const whole = replay(lines, noPruning).requests.at(-1);
    // src/pricing.ts, discountRate, and the line
    expect(whole).toMatchObject({
      ownEvidence: { counted: 3, kept: 3 },
      evidence: NONE,
      editEvidence: NONE,
    });
    expect(replay(lines, forgetCalls).requests.at(-1)?.ownEvidence).toEqual({ counted: 3, kept: 0 });
  });

  test("add up over a session", () => {
    expect(replay(lines, forgetCalls).ownEvidence).toEqual({ counted: 3, kept: 0 });
  });
});
