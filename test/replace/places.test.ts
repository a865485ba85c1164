import { describe, expect, test } from "vitest";
import { isRefOf, proposeReplace } from "../../src/agent/propose.ts";
import { MessageBench } from "../../src/edits/message-bench.ts";
import { readShown, toOriginal } from "../../src/replace/shown-text.ts";
import type { Ref } from "../../src/transcript/refs.ts";
import { AgentSession } from "../agent/agent-session.ts";
import { textOf } from "../conversation.ts";
import { replacePlan } from "../plans.ts";

const FIRST = "alpha ".repeat(40);
const SECOND = "omega ".repeat(40);

/** A result of two texts, with the middle of the first and the start of the second cut. */
function makeBench() {
  const text = (body: string) => ({ type: "text", text: body });
  const bench = new MessageBench([
    { role: "user", content: "go" },
    { role: "assistant", content: [{ type: "tool_use", id: "t", name: "bash", input: {} }] },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t", content: [text(FIRST), text(SECOND)] }],
    },
  ]);
  const [first = "", second = ""] = bench.transcript.part(2).leaves.map(({ id }) => id);
  const cut = (leaf: string, from: number, to: number, marker: string) => {
    const made = bench.cut(replacePlan({ part: 2, leaf, from, to, text: marker }));
    if (!made.ok) throw new Error(made.issue.message);
  };
  cut(first, 60, 180, "[one]");
  cut(second, 0, 120, "[two]");
  return bench;
}

describe("a place in the shown text, found in the original", () => {
  const { facts, ledger } = makeBench();
  const shown = readShown(facts, ledger, 2);
  const whole = FIRST + SECOND;
  const places = (from: number, to: number) => {
    const stretch = toOriginal(shown, from, to);
    return [whole.slice(stretch.from, stretch.to), stretch.shown];
  };
  const end = shown.text.length;

  test("the shown text: each text with its own cuts, and a separator that no pattern has", () => {
    expect(shown.text).toBe(`${FIRST.slice(0, 60)}[one]${FIRST.slice(180)}\u0000[two]${SECOND.slice(120)}`);
  });

  test.each<[string, number, number, original: string, shown: string]>([
    ["before a cut", 10, 20, FIRST.slice(10, 20), FIRST.slice(10, 20)],
    ["up to a cut", 10, 60, FIRST.slice(10, 60), FIRST.slice(10, 60)],
    ["behind it", 65, 80, FIRST.slice(180, 195), FIRST.slice(180, 195)],
    ["inside its marker: all that it stands for", 61, 63, FIRST.slice(60, 180), "[one]"],
    ["up to the middle of a marker", 50, 62, FIRST.slice(50, 180), `${FIRST.slice(50, 60)}[one]`],
    ["from the middle of a marker", 62, 75, FIRST.slice(60, 190), `[one]${FIRST.slice(180, 190)}`],
    ["over a marker", 50, 70, FIRST.slice(50, 185), `${FIRST.slice(50, 60)}[one]${FIRST.slice(180, 185)}`],
    ["in the second text", end - 20, end, SECOND.slice(-20), SECOND.slice(-20)],
    ["its marker", 127, 130, SECOND.slice(0, 120), "[two]"],
    [
      "over both",
      100,
      140,
      FIRST.slice(215) + SECOND.slice(0, 129),
      `${FIRST.slice(215)}[two]${SECOND.slice(120, 129)}`,
    ],
  ])("%s", (_, from, to, original, text) => {
    expect(places(from, to)).toEqual([original, text]);
  });

  test("ranges outside of it", () => {
    expect(() => toOriginal(shown, end, end + 1)).toThrow(RangeError);
  });
});

describe("several places in one call", () => {
  const line = (n: number, i: number) => `step ${n} of the long procedure, row ${i}\n`;
  const body = (n: number) => Array.from({ length: 30 }, (_, i) => line(n, i)).join("");
  const rows = (n: number, from: number, to: number) => [
    `step ${n} of the long procedure, row ${from}\n`,
    `step ${n} of the long procedure, row ${to}\n`,
    "…",
  ];
  const ask = (...operations: readonly (readonly string[])[]) => {
    const session = new AgentSession({ config: { schedule: { mode: "eager", ingestCap: null } } })
      .call("bash", { command: "one" }, body(1))
      .call("bash", { command: "two" }, body(2));
    const answer = session.ask("replace", operations);
    return { answer, results: session.results() };
  };

  test.each<[string, readonly (readonly string[])[], string | undefined]>([
    ["side by side", [rows(1, 2, 9), rows(1, 10, 20)], undefined],
    ["in whatever order", [rows(1, 10, 20), rows(1, 2, 9)], undefined],
    ["in two results", [rows(2, 2, 20), rows(1, 2, 20)], undefined],
    ["that overlap", [rows(1, 2, 9), rows(1, 9, 20)], "Operations 1 and 2 are overlapping"],
    ["in whatever order", [rows(1, 9, 20), rows(1, 2, 9)], "Operations 2 and 1 are overlapping"],
    [
      "of three the first and the last",
      [rows(1, 2, 9), rows(2, 2, 9), rows(1, 5, 12)],
      "Operations 1 and 3 are overlapping",
    ],
    ["one of two not there", [rows(1, 2, 9), rows(3, 2, 9)], "Operation 2: Pattern not found"],
  ])("%s: all or nothing", (_, operations, problem) => {
    const { answer, results } = ask(...operations);
    const isCut = results.slice(0, 2).some((text) => text.includes("…"));
    expect(isCut).toBe(problem === undefined);
    if (problem) expect(answer).toContain(problem);
    else expect(answer).toContain("replace ✓");
  });

  test("an earlier call of the same tool is not a place", () => {
    const session = new AgentSession({ config: { schedule: { mode: "eager", ingestCap: null } } });
    session.call("bash", { command: "one" }, body(1));
    const said = session.ask("replace", [
      ["a text that stands nowhere at all", "nor does this one, I am sure", "…"],
    ]);
    expect(said).toContain("a text that stands nowhere at all");
    const again = session.ask("replace", [
      ["a text that stands nowhere at all", "nor does this one, I am sure", "…"],
    ]);
    expect(again).toContain("Pattern not found");
  });

  test("more places than anybody reads are counted", () => {
    const { answer } = ask(["step 1 of the long", "procedure, row 29", "…"]);
    expect(answer).toContain("30 matches");
    expect(answer.match(/^ {2}message /gm)?.length).toBe(20);
    expect(answer).toContain("  and 10 more");
    const twenty = ask(["of the long procedure, row 1", "procedure, row 29", "…"]).answer;
    expect(twenty).toContain("22 matches");
  });
});

describe("only an answer of our own tool names cut text", () => {
  const play = (tool: string, failed: boolean) => {
    const session = new AgentSession(
      { config: { strategies: { spent: { enabled: false } } } },
      "anthropic-messages",
    )
      .call("bash", { command: "npm test" }, textOf(900))
      .call("bash", { command: "ls" }, "a.ts");
    const ref = session.ref("result");
    session.call(tool, { action: "discard", targets: [[ref]] }, `Cut: ${ref}`);
    session.turns = session.turns.map((turn) => ({
      ...turn,
      steps: turn.steps.map((step) => ({
        ...step,
        calls: step.calls.map((each) => (each.tool === tool ? { ...each, failed } : each)),
      })),
    }));
    return session.prune().report.edits.length;
  };
  test.each([
    ["context_prune", false, 1],
    ["context_prune", true, 0],
    ["database_prune", false, 0],
    ["read", false, 0],
  ])("%s, failed %s", (tool, failed, cuts) => {
    expect(play(tool, failed)).toBe(cuts);
  });
});

test("a step's text is named once, on its last result, however many have a tag of their own", () => {
  const session = new AgentSession().step({
    text: textOf(400, 3),
    calls: [
      ["bash", { command: "a" }, textOf(900, 1)],
      ["bash", { command: "b" }, textOf(900, 2)],
    ],
  });
  const tags = session.results().map((text) => text.match(/<(?:tool|message)_hash>/g));
  expect(tags).toEqual([["<tool_hash>"], ["<message_hash>", "<tool_hash>"]]);
});

describe("a stretch of a result of two texts", () => {
  const { facts } = makeBench();
  const show = (from: number, to: number) =>
    proposeReplace(facts, { part: 2, from, to }, "…")?.spans.map((span) => {
      const text = facts.transcript.part(2).leaves.find(({ id }) => id === span.leaf)?.text ?? "";
      return [text.slice(span.from, span.to), span.render("a1b2c3" as Ref)];
    });
  const middle = FIRST.length;

  test.each<[string, number, number, ReturnType<typeof show>]>([
    ["in the first", 6, 12, [["alpha ", "…"]]],
    ["all of the first", 0, middle, [[FIRST, "…"]]],
    ["in the second", middle + 6, middle + 12, [["omega ", "…"]]],
    [
      "over both, the longer has the replacement",
      middle - 6,
      middle + 12,
      [
        ["omega omega ", "…"],
        ["alpha ", ""],
      ],
    ],
    [
      "over both, of equals the first",
      middle - 6,
      middle + 6,
      [
        ["alpha ", "…"],
        ["omega ", ""],
      ],
    ],
    ["past the end", middle, 2 * middle + 1, undefined],
    ["nothing", 6, 6, undefined],
  ])("%s", (_, from, to, expected) => {
    expect(show(from, to)).toEqual(expected);
  });

  test("is named by its own ref only", () => {
    const key = facts.transcript.key(2);
    const [, second] = facts.transcript.part(2).leaves;
    const ref = facts.refs.expect({ part: key, leaf: second?.id ?? "", from: 0, to: 12 });
    const stretch = { part: 2, from: middle - 6, to: middle + 12 };
    expect(isRefOf(ref, facts, stretch)).toBe(true);
    expect(isRefOf(ref, facts, { ...stretch, to: middle + 13 })).toBe(false);
    expect(isRefOf(ref, facts, { ...stretch, from: 0 })).toBe(false);
    expect(isRefOf(ref, facts, { ...stretch, to: 9_999 })).toBe(false);
  });
});

test("text that the agent had not seen is not a target, even if it guesses the ref", () => {
  const play = (ref: string) =>
    new AgentSession({ config: { schedule: { mode: "eager", ingestCap: null } } })
      .call("bash", { command: "ls" }, "a.ts")
      .step({
        calls: [
          ["bash", { command: "npm test" }, textOf(900)],
          ["context_prune", { action: "discard", targets: [[ref]] }, `Cut: ${ref}`],
        ],
      });
  const ref = play("000000").ref("result", 1);
  const session = play(ref);
  expect(session.ref("result", 1)).toBe(ref);
  expect(session.prune().report.edits).toEqual([]);
  session.ask("discard", [[ref]]);
  expect(session.prune().report.edits.length).toBe(1);
});
