import { describe, expect, test } from "vitest";
import type { PartialConfig } from "../../src/config/config.ts";
import { createPruner } from "../../src/pruner.ts";
import { sumUncut, type Uncut } from "../../src/reports/uncut.ts";
import { Conversation, textOf } from "../conversation.ts";

function uncutOf({ messages, meta }: Conversation, config: PartialConfig = {}): Uncut | undefined {
  return createPruner({ config }).prune(messages, { meta }).report.uncut;
}

/** Commands that nothing makes redundant. */
function talk(steps: number, tokens = 30): Conversation {
  const conversation = new Conversation();
  for (let i = 0; i < steps; i++) conversation.call("bash", { command: `make part-${i}` }, textOf(tokens, i));
  return conversation;
}

describe("why nothing was cut", () => {
  test("no tools were called", () => {
    const conversation = new Conversation().answer("Which test?").say("The first.");
    expect(uncutOf(conversation)).toEqual({
      code: "no-results",
      message: "Nothing was cut: there are no tool results",
    });
  });

  test("user messages may be outputs", () => {
    const conversation = new Conversation();
    for (let i = 0; i < 8; i++) conversation.answer(`RUN make ${i}`).say(`OUT\n${textOf(400, i)}`);
    const { code, message } = uncutOf(conversation) ?? {};
    expect(code).toBe("maybe-text");
    expect(message).toMatch(
      /^Nothing was cut: there are no tool results, but 8 user messages of [\d,]+ tokens may be outputs; if your agent writes its commands as text, see docs\/text-protocols\.md$/,
    );
  });

  test("a rule for them takes that away", () => {
    const conversation = new Conversation();
    for (let i = 0; i < 8; i++) conversation.answer("RUN make test").say(`OUT\n${textOf(400, i)}`);
    const rule = { call: { begin: "RUN " }, result: { begin: "OUT\n" } };
    const schedule = { mode: "eager" } as const;
    expect(uncutOf(conversation, { schedule })?.code).toBe("maybe-text");
    expect(uncutOf(conversation, { schedule, textProtocols: [rule] })).toBeUndefined();
  });

  test("the session is short", () => {
    expect(uncutOf(talk(4))?.message).toBe(
      "Nothing was cut: the session is short (4 calls; most pruning begins with the sixth)",
    );
  });

  test("all results are in use", () => {
    expect(uncutOf(talk(7))?.message).toMatch(
      /^Nothing was cut: all 7 results \([\d,]+ tokens\) are still in use$/,
    );
  });

  test("all results are protected", () => {
    const tools = { settings: { protectedCommands: ["make *"] } };
    expect(uncutOf(talk(20, 400), { tools, schedule: { mode: "eager" } })?.message).toMatch(
      /^Nothing was cut: all 20 results \([\d,]+ tokens\) are protected$/,
    );
  });

  test("cuts wait for their moment", () => {
    const conversation = talk(7)
      .call("bash", { command: "git status" }, textOf(200, 1))
      .call("bash", { command: "git status" }, textOf(200, 2));
    expect(uncutOf(conversation, { schedule: { mode: "pressure" } })?.message).toMatch(
      /^Nothing was cut: \d+ cuts? of [\d,]+ tokens wait until they pay for rewriting the cache, or the window fills$/,
    );
  });

  test("it is off", () => {
    expect(uncutOf(talk(20, 400), { enabled: false })?.message).toBe("Nothing was cut: Coppice is off");
  });

  test("no explanation if something was cut", () => {
    const conversation = talk(8, 400);
    for (let i = 0; i < 9; i++) conversation.call("bash", { command: "git status" }, textOf(200, i));
    expect(uncutOf(conversation, { schedule: { mode: "eager" } })).toBeUndefined();
  });
});

describe("of many sessions", () => {
  const uncut = (code: Uncut["code"]): Uncut => ({ code, message: `Nothing was cut: ${code}` });

  test.each<readonly [string, readonly (Uncut | undefined)[], string | undefined]>([
    ["something was cut in each", [undefined, undefined], undefined],
    ["there is one", [uncut("short")], "Nothing was cut: short"],
    [
      "some were not cut",
      [uncut("short"), undefined, uncut("no-results"), uncut("no-results")],
      "Nothing was cut in 3 of 4 sessions: no tool results (2), too short (1)",
    ],
    [
      "some may have outputs in text",
      [uncut("maybe-text"), undefined],
      "Nothing was cut in 1 of 2 sessions: no tool results, but user messages that may be outputs (1); if your agent writes its commands as text, see docs/text-protocols.md",
    ],
  ])("%s", (_, sessions, expected) => {
    expect(sumUncut(sessions)).toBe(expected);
  });
});
