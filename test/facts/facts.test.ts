import { describe, expect, test } from "vitest";
import { ProtectWindow } from "../../src/facts/protect-window.ts";
import type { Part } from "../../src/transcript/part.ts";
import { Transcript } from "../../src/transcript/transcript.ts";
import { play, type Use } from "../play.ts";

const read = (path: string): Use => ["read", { filePath: path }];

describe("series: which calls a call makes stale", () => {
  const stale = (steps: readonly (readonly Use[])[]) => {
    const { facts, deltas } = play(steps);
    const newest = deltas.at(-1)?.completed ?? [];
    return newest
      .flatMap((fact) =>
        facts
          .series("sameCalls")
          .supersededBy(fact)
          .map(({ step }) => step),
      )
      .sort();
  };
  const failed = (path: string): Use => ["read", { filePath: path }, "error"];

  test.each<[string, readonly (readonly Use[])[], readonly number[]]>([
    ["the one before", [[read("a")], [read("a")]], [1]],
    ["only back to the last success", [[read("a")], [read("a")], [read("a")]], [2]],
    ["failures since then as well", [[read("a")], [failed("a")], [read("a")]], [1, 2]],
    ["a failure makes only failures stale", [[read("a")], [failed("a")], [failed("a")]], [2]],
    ["both of a parallel pair", [[read("a"), read("a")], [read("a")]], [1, 1]],
    ["nothing of the same step", [[read("a"), read("a")]], []],
    ["not another question", [[read("a")], [read("b")]], []],
    [
      "an input that lost a text may have been any",
      [[["x", { a: "q", b: "" }]], [["x", { a: "q", b: "" }]]],
      [],
    ],
    ["key order does not count", [[["x", { a: 1, b: 2 }]], [["x", { b: 2, a: 1 }]]], [1]],
  ])("%s", (_, steps, expected) => {
    expect(stale(steps)).toEqual(expected);
  });
});

test("the other series: urls, queries, todos, context calls, attempts", () => {
  const { facts, deltas } = play([
    [
      ["webfetch", { url: "https://example.org/a#x" }],
      ["bash", { command: "git status" }],
      ["todowrite", { todos: [] }],
      ["context_info", {}],
      ["bash", { command: "npm test" }, "error"],
    ],
    [
      ["webfetch", { url: "https://example.org:443/a" }],
      ["bash", { command: "git status -s" }],
      ["todowrite", { todos: [1] }],
      ["context_prune", {}],
      ["bash", { command: "npm test" }],
    ],
  ]);
  const [url, status, todo, context, retry] = deltas[1]?.completed ?? [];
  if (!url || !status || !todo || !context || !retry) throw new Error("calls were not completed");
  expect(facts.series("sources").supersededBy(url).length).toBe(1);
  expect(facts.series("queries").supersededBy(status).length).toBe(1);
  expect(facts.series("todos").supersededBy(todo).length).toBe(1);
  expect(facts.series("contextCalls").supersededBy(context).length).toBe(1);
  expect(facts.series("attempts").supersededBy(retry).length).toBe(1);
});

test("files: operations in order, by normalised path; failed and pending calls have none", () => {
  const { facts, deltas } = play([
    [read("./a.ts"), ["read", { filePath: "b.ts" }, "error"], ["read", { filePath: "c.ts" }, "pending"]],
    [["edit", { filePath: "/work/a.ts", oldString: "x", newString: "y" }]],
  ]);
  expect(deltas.map(({ files }) => files.map(({ touch }) => [touch.path, touch.operation]))).toEqual([
    [["/work/a.ts", "read"]],
    [["/work/a.ts", "edit"]],
  ]);
  expect(facts.files.history("/work/a.ts").map(({ fact }) => fact.step)).toEqual([1, 2]);
  expect(facts.files.wasModified("/work/a.ts")).toBe(true);
  expect(facts.files.history("/work/b.ts")).toEqual([]);
});

test("a rollback undoes every index, and later results are as if it had never happened", () => {
  const { transcript, facts } = play([[read("a")]]);
  const mark = transcript.undoLog.mark();
  const again = () => {
    const from = transcript.length;
    const call: Part = {
      kind: "call",
      slot: "0",
      role: "assistant",
      leaves: [],
      callId: "z",
      tool: "read",
      input: { filePath: "a" },
      opensStep: true,
    };
    const result: Part = { kind: "result", slot: "1", role: "tool", leaves: [], callId: "z", status: "ok" };
    transcript.append([call], 1, false);
    transcript.append([result], 2, false);
    return facts
      .ingest(from, transcript.length)
      .completed.map((fact) => [
        transcript.key(fact.call),
        facts.series("sameCalls").supersededBy(fact).length,
      ]);
  };
  const first = again();
  transcript.rollback(mark);
  expect(facts.files.history("/work/a").length).toBe(1);
  expect(transcript.lastStep).toBe(1);
  expect(again()).toEqual(first);
  expect(first).toEqual([["call:z#1", 1]]);
});

describe("failures grow old", () => {
  const step = (...outcomes: readonly ("ok" | "error")[]): readonly Use[] =>
    outcomes.map((outcome) => ["x", {}, outcome]);
  const fail = step("error");
  const quiet = step("ok");

  test.each<[string, age: number, readonly (readonly Use[])[], readonly (readonly string[])[]]>([
    [
      "each once, after more than this number of steps",
      1,
      [fail, quiet, fail, quiet, quiet],
      [[], [], ["1"], [], ["3"]],
    ],
    [
      "in any step but the newest where the age is 0",
      0,
      [step("error", "error"), quiet, quiet],
      [[], ["1", "1"], []],
    ],
    ["never before there are this many steps", 9, [fail, quiet, quiet], [[], [], []]],
  ])("%s", (_, age, steps, expected) => {
    const grown: (readonly string[])[] = [];
    play(steps, (delta, facts) =>
      grown.push(facts.failures.grownOld(delta, age).map((fact) => String(fact.step))),
    );
    expect(grown).toEqual(expected);
  });

  const append = (transcript: Transcript, id: number, message: number) => {
    const part = { slot: "0", leaves: [], callId: `f${id}` };
    transcript.append(
      [{ ...part, kind: "call", role: "assistant", tool: "x", input: {}, opensStep: true }],
      message,
      false,
    );
    return () =>
      transcript.append([{ ...part, kind: "result", role: "tool", status: "error" }], message, false);
  };

  test("all of them if one request brings many steps, and those with late answers", () => {
    const { transcript, facts } = play([quiet]);
    let from = transcript.length;
    const answerLate = append(transcript, 0, 1);
    for (let i = 1; i <= 5; i++) append(transcript, i, i)();
    const many = facts.ingest(from, transcript.length);
    expect(facts.failures.grownOld(many, 2).map((fact) => fact.step)).toEqual([3, 4]);
    const mark = transcript.undoLog.mark();
    const goOn = () => {
      from = transcript.length;
      answerLate();
      append(transcript, 6, 7)();
      return facts.failures.grownOld(facts.ingest(from, transcript.length), 2).map((fact) => fact.step);
    };
    expect(goOn()).toEqual([2, 5]);
    transcript.rollback(mark);
    expect(goOn()).toEqual([2, 5]);
  });
});

describe("the protect window", () => {
  const open = (size: number) => {
    const transcript = new Transcript();
    const window = new ProtectWindow(transcript, size);
    const append = (part: Part, turn: boolean) => {
      const from = transcript.length;
      transcript.append([part], from, turn);
      return window.ingest(from, transcript.length);
    };
    const leaves = (words: number) => [{ id: "text", text: "word ".repeat(words) }];
    return {
      transcript,
      ask: (words: number) => append({ kind: "text", slot: "0", role: "user", leaves: leaves(words) }, true),
      result: (words: number) =>
        append(
          { kind: "result", slot: "0", role: "tool", callId: "c", status: "ok", leaves: leaves(words) },
          false,
        ),
    };
  };

  test("one long turn: the newest tokens of results stay, a result on the edge too", () => {
    const { transcript, ask, result } = open(50);
    expect(ask(1)).toEqual([]);
    expect(result(30)).toEqual([]);
    expect(result(30)).toEqual([0]);
    const mark = transcript.undoLog.mark();
    expect(result(30)).toEqual([1]);
    expect(result(30)).toEqual([2]);
    transcript.rollback(mark);
    expect(result(30)).toEqual([1]);
  });

  test("the last two turns stay while neither is larger than the window", () => {
    const { ask, result } = open(50);
    ask(1);
    result(30);
    ask(1);
    expect(result(30)).toEqual([]);
    expect(ask(1)).toEqual([0]);
    expect(result(30)).toEqual([1]);
  });

  test("user text does not fill the window", () => {
    const { ask, result } = open(50);
    result(30);
    expect(ask(500)).toEqual([]);
    expect(ask(500)).toEqual([]);
    expect(ask(500)).toEqual([]);
  });
});
