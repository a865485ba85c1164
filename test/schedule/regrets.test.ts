import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPruner } from "../../src/pruner.ts";
import { replacePart } from "../../src/strategies/replacing/replace-part.ts";
import { type Strategy, usePass } from "../../src/strategies/strategy.ts";
import { Conversation, textOf } from "../conversation.ts";

/** Cuts every read as soon as the next call has its result. */
const forgetful: Strategy = {
  name: "forgetful",
  propose: (step, facts) =>
    step.completed.flatMap(({ call }) => {
      const before = facts.calls.of(call - 1);
      if (before?.use.kind !== "read") return [];
      return replacePart(facts, before.result, (ref) => `[gone · ${ref}]`, { reason: "forgotten" }) ?? [];
    }),
};

function makePruner() {
  return createPruner({
    passes: [usePass(forgetful)],
    ladder: [],
    config: { schedule: { mode: "eager" } },
  });
}

/** All requests of the session, one after the other. */
function prune(session: Conversation, pruner = makePruner()) {
  const reports = [];
  for (let end = 1; end <= session.messages.length; end += 2)
    reports.push(pruner.prune(session.messages.slice(0, end), { meta: session.meta.slice(0, end) }).report);
  const last = reports.at(-1);
  if (!last) throw new Error("no request");
  return { last, issues: reports.flatMap(({ issues }) => issues) };
}

const text = textOf(300);
const read = (session: Conversation, path: string, rest: object = {}) =>
  session.call("read", { filePath: path, ...rest }, text).call("bash", { command: "true" }, "ok");

describe("text that the agent fetches again after a cut counts against the rule that made the cut", () => {
  test.each<[string, (session: Conversation) => Conversation, number]>([
    ["the same file", (session) => read(session, "a.ts"), 1],
    [
      "and a third time, because the second read was cut too",
      (session) => read(read(session, "a.ts"), "a.ts"),
      2,
    ],
    ["another file", (session) => read(session, "b.ts"), 0],
    [
      "the same file after an edit",
      (session) =>
        read(session.call("edit", { filePath: "a.ts", oldString: "a", newString: "b" }, "ok"), "a.ts"),
      0,
    ],
    ["some lines of it", (session) => read(session, "a.ts", { offset: 10, limit: 20 }), 1],
  ])("%s", (_, go, fetched) => {
    const { last } = prune(go(read(new Conversation(), "a.ts")));
    expect(last.edits.length).toBeGreaterThan(0);
    const cuts = last.edits.length;
    expect(last.fetchedAgain).toEqual(
      fetched > 0 ? [{ rule: "forgetful", cuts, fetched, missedEdits: 0, off: false }] : [],
    );
  });

  test("a file that the agent changes makes such cuts more expensive, and the rule stays on", () => {
    const change = { filePath: "a.ts", oldString: "a", newString: "b" };
    const { last } = prune(read(read(new Conversation(), "a.ts").call("edit", change, "ok"), "b.ts"));
    expect(last.fetchedAgain).toEqual([]);
    const regrets = last.edits.flatMap(({ edit }) => (edit.type === "undo" ? [] : [edit.risk?.regret]));
    expect(regrets[0]).toBeUndefined();
    expect(regrets.at(-1)).toBeGreaterThan(0);
  });

  test("other lines than the cut read showed do not count", () => {
    const session = read(new Conversation(), "a.ts", { offset: 1, limit: 20 });
    expect(prune(read(session, "a.ts", { offset: 200, limit: 20 })).last.fetchedAgain).toEqual([]);
  });

  test("a recall counts once for each cut", () => {
    const session = read(new Conversation(), "a.ts");
    const ref = prune(session).last.edits[0]?.edit;
    if (ref?.type !== "replace") throw new Error("no cut");
    session.call("context_recall", { ref: ref.ref }, text).call("context_recall", { ref: ref.ref }, text);
    expect(prune(session).last.fetchedAgain).toMatchObject([{ rule: "forgetful", fetched: 1 }]);
    session.call("context_recall", { ref: "ffffff" }, "unknown").call("context_recall", { ref: 7 }, "?");
    expect(prune(session).last.fetchedAgain).toMatchObject([{ fetched: 1 }]);
  });
});

describe("a rule whose cuts are fetched again and again", () => {
  /** Reads this many files twice each. */
  const reread = (files: number, session = new Conversation()) => {
    for (let i = 0; i < files; i++) read(read(session, `${i}.ts`), `${i}.ts`);
    return session;
  };

  test("is switched off for the session, and the report says so once", () => {
    expect(prune(reread(3)).last.fetchedAgain).toMatchObject([{ fetched: 3, off: false }]);
    const { last, issues } = prune(reread(8));
    expect(last.fetchedAgain).toEqual([
      { rule: "forgetful", cuts: 7, fetched: 4, missedEdits: 0, off: true },
    ]);
    expect(last.edits).toHaveLength(7);
    expect(issues.filter(({ code }) => code === "rule-off")).toEqual([
      {
        code: "rule-off",
        message:
          "the agent fetched 4 of 7 texts again that forgetful had cut: it makes no more cuts in this session",
        where: "forgetful",
        severity: "info",
      },
    ]);
  });

  test("is not switched off if few of many cuts were", () => {
    const session = new Conversation();
    for (let i = 0; i < 30; i++) read(session, `once/${i}.ts`);
    expect(prune(reread(6, session)).last.fetchedAgain).toMatchObject([{ fetched: 6, off: false }]);
  });

  test("stays off after a restart and in a fork; an undo switches it on again", () => {
    const session = reread(8);
    const live = makePruner();
    prune(session, live);
    const ask = (pruner: ReturnType<typeof makePruner>, end: number) => {
      const { messages, report } = pruner.prune(session.messages.slice(0, end), {
        meta: session.meta.slice(0, end),
      });
      return { messages, fetchedAgain: report.fetchedAgain, edits: report.edits };
    };
    const { length } = session.messages;
    expect(ask(live, length)).toEqual(ask(makePruner(), length));
    for (const end of [length - 8, 25, 17, 9]) expect(ask(live, end)).toEqual(ask(makePruner(), end));
    expect(ask(live, 9).fetchedAgain).toMatchObject([{ fetched: 1, off: false }]);
    expect(ask(live, length).fetchedAgain).toMatchObject([{ off: true }]);
  });
});

describe("an edit that does not find its text, in a file whose view was cut", () => {
  const NOT_FOUND = "Error: oldString not found in content";
  const edit = (session: Conversation, path: string, output = NOT_FOUND) =>
    session.call("edit", { filePath: path, oldString: "a", newString: "b" }, output);

  test.each<[string, (session: Conversation) => Conversation, readonly object[]]>([
    ["one", (session) => edit(session, "a.ts"), [{ fetched: 1, missedEdits: 1, off: false }]],
    ["that found its text", (session) => edit(session, "a.ts", "ok"), []],
    ["an edit that failed for another reason", (session) => edit(session, "a.ts", "Error: read-only"), []],
    ["of another file", (session) => edit(session, "b.ts"), []],
    [
      "a file that the agent has read again",
      (session) => edit(session.call("read", { filePath: "a.ts" }, text), "a.ts"),
      [{ fetched: 1, missedEdits: 0, off: false }],
    ],
    [
      "a file of which the agent has read other lines again",
      (session) => edit(session.call("read", { filePath: "a.ts", offset: 900, limit: 9 }, "x"), "a.ts"),
      [{ missedEdits: 1, off: false }],
    ],
    ["two", (session) => edit(edit(session, "a.ts"), "a.ts"), [{ fetched: 1, missedEdits: 2, off: true }]],
  ])("%s", (_, go, expected) => {
    expect(prune(go(read(new Conversation(), "a.ts"))).last.fetchedAgain).toMatchObject(expected);
  });

  /** Two edits fail after their files were cut; then there is more to cut. */
  const fail = () => {
    const session = edit(read(new Conversation(), "a.ts"), "a.ts");
    edit(read(session, "b.ts"), "b.ts");
    for (let i = 0; i < 4; i++) read(session, `${i}.ts`);
    return session;
  };

  test("two such edits switch the rule off for the session, and the report says so once", () => {
    const { last, issues } = prune(fail());
    expect(last.fetchedAgain).toEqual([
      { rule: "forgetful", cuts: 2, fetched: 2, missedEdits: 2, off: true },
    ]);
    expect(last.edits).toHaveLength(2);
    expect(issues.filter(({ code }) => code === "rule-off")).toEqual([
      {
        code: "rule-off",
        message:
          "2 edits did not find the text to replace, in files whose views forgetful had cut: it makes no more cuts in this session",
        where: "forgetful",
        severity: "info",
      },
    ]);
  });

  test("one such edit is not the reported reason if a rule is off because its cuts were fetched again", () => {
    const session = edit(read(new Conversation(), "a.ts"), "a.ts");
    for (let i = 0; i < 4; i++) read(read(session, `${i}.ts`), `${i}.ts`);
    const stopped = prune(session).issues.find(({ code }) => code === "rule-off");
    expect(stopped?.message).toMatch(/^the agent fetched 4 of \d texts again that forgetful had cut: /);
  });

  test("the rule stays off after a restart and in a fork, and an undo switches it on again", () => {
    const session = fail();
    const live = makePruner();
    prune(session, live);
    const ask = (pruner: ReturnType<typeof makePruner>, end: number) => {
      const { messages, report } = pruner.prune(session.messages.slice(0, end), {
        meta: session.meta.slice(0, end),
      });
      return { messages, fetchedAgain: report.fetchedAgain, edits: report.edits, work: report.work };
    };
    const { length } = session.messages;
    for (const end of [length, length - 4, 13, 11, 7, 5, length])
      expect(ask(live, end)).toEqual(ask(makePruner(), end));
    expect(ask(live, 11).fetchedAgain).toMatchObject([{ missedEdits: 1, off: false }]);
    expect(ask(live, length).fetchedAgain).toMatchObject([{ missedEdits: 2, off: true }]);
  });

  test("does not count against a rule if its cuts were not sent", () => {
    const session = fail();
    const pruner = createPruner({
      passes: [usePass(forgetful)],
      ladder: [],
      config: { schedule: { mode: "eager" }, shadow: true },
    });
    const { last, issues } = prune(session, pruner);
    expect(last.fetchedAgain).toEqual([]);
    expect(issues.filter(({ code }) => code === "rule-off")).toEqual([]);
    expect(last.work.session).toMatchObject({ edits: 2, missedEdits: 2 });
  });
});

test("whatever was read, changed, recalled and undone: the state is the same as after a restart", () => {
  const action = fc.record({
    tool: fc.constantFrom("read", "read", "read", "edit", "missed", "context_recall", "bash"),
    file: fc.integer({ min: 0, max: 2 }),
  });
  let switchedOff = 0;
  fc.assert(
    fc.property(fc.array(action, { minLength: 12, maxLength: 40 }), fc.array(fc.nat(40)), (actions, ends) => {
      const live = makePruner();
      const session = new Conversation();
      const seen: string[] = [];
      const ask = (pruner: typeof live, end: number) => {
        const request = { meta: session.meta.slice(0, end) };
        const { messages, report } = pruner.prune(session.messages.slice(0, end), request);
        for (const { edit } of report.edits) if (edit.type === "replace") seen.push(edit.ref);
        const { edits, fetchedAgain, waiting, work } = report;
        return { messages, edits, fetchedAgain, waiting, work };
      };
      for (const { tool, file } of actions) {
        const filePath = `${file}.ts`;
        if (tool === "read") session.call(tool, { filePath }, text);
        else if (tool === "edit") session.call(tool, { filePath, oldString: "a", newString: "b" }, "ok");
        else if (tool === "missed")
          session.call(
            "edit",
            { filePath, oldString: "a", newString: "b" },
            "oldString not found in content",
          );
        else if (tool === "bash") session.call(tool, { command: "true" }, "ok");
        else session.call(tool, { ref: seen[file] ?? "a1b2c3" }, text);
        ask(live, session.messages.length);
      }
      for (const end of [...ends.map((at) => 1 + 2 * (at % actions.length)), session.messages.length]) {
        const now = ask(live, end);
        expect(now).toEqual(ask(makePruner(), end));
        if (now.fetchedAgain.some(({ off }) => off)) switchedOff++;
      }
    }),
    { numRuns: 30 },
  );
  expect(switchedOff).toBeGreaterThan(5);
});
