import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mayRemindNow } from "../../src/agent/may-remind.ts";
import { createReminder, type ReminderOptions, type Situation } from "../../src/agent/reminder.ts";
import type { PartialConfig } from "../../src/config/config.ts";
import { DEFAULT_CONFIG } from "../../src/config/defaults.ts";
import { MessageBench } from "../../src/edits/message-bench.ts";
import type { ReasoningRule } from "../../src/models/profile.ts";
import { profileFor } from "../../src/models/profile-for.ts";
import { createPruner } from "../../src/pruner.ts";
import { measurePressure } from "../../src/schedule/pressure.ts";
import { Conversation, textOf } from "../conversation.ts";

const OPTIONS: ReminderOptions = DEFAULT_CONFIG.tools;
const only = (which: "todoReminder" | "automataMode"): ReminderOptions => ({
  todoReminder: { ...OPTIONS.todoReminder, enabled: which === "todoReminder" },
  automataMode: { ...OPTIONS.automataMode, enabled: which === "automataMode" },
});

const situationOf = (reasoning: ReasoningRule, more: Partial<Situation> = {}): Situation => ({
  profile: { ...profileFor("gpt-5"), reasoning },
  pressure: measurePressure(124_000, 200_000),
  listPrunable: () => [],
  listStale: () => [],
  ...more,
});

const remind = (
  { messages }: Conversation,
  options: ReminderOptions = OPTIONS,
  situation: Situation = situationOf("none"),
) => createReminder(options)(new MessageBench(messages).facts, situation);

/** One letter a step: w writes todos, r reads them, a dot works; > is a user message. */
function talk(script: string, prompt = "Go."): Conversation {
  const conversation = new Conversation(prompt);
  const todos = [{ content: "Fix parser", status: "in_progress" }];
  for (const sign of script) {
    if (sign === ">") conversation.say("And?");
    else if (sign === "w") conversation.call("todowrite", { todos }, "ok");
    else if (sign === "r") conversation.call("todoread", {}, "[]");
    else conversation.call("bash", { command: "npm test" }, "ok");
  }
  return conversation;
}

/** The steps after which there is a reminder, with the script read character by character. */
function remindersOf(
  script: string,
  options: ReminderOptions,
  rule: ReasoningRule,
  prompt?: string,
): number[] {
  return [...script, ""].flatMap((_, i) => {
    const so = script.slice(0, i);
    // A user message that follows directly belongs to the same request.
    if (script[i] === ">") return [];
    const note = remind(talk(so, prompt), options, situationOf(rule));
    return note === undefined ? [] : [so.replaceAll(">", "").length];
  });
}

describe("when it is due", () => {
  test.each<[string, string, readonly number[]]>([
    ["after initialTurns steps, then every repeatTurns", ".".repeat(14), [5, 9, 13]],
    ["a todo write resets it", `...w${".".repeat(10)}`, [9, 13]],
    ["a write in time keeps it away", "....w....w....w....", []],
    ["a todo read does not reset it", "w....r....", [6, 10]],
    ["a user message does not reset it", "..>..>.....", [5, 9]],
  ])("%s", (_, script, expected) => {
    expect(remindersOf(script, only("todoReminder"), "none")).toEqual(expected);
  });

  test.each<[string, string, readonly number[]]>([
    ["every initialTurns steps", ".".repeat(17), [8, 16]],
    ["a todo write does not reset it", `....w${".".repeat(12)}`, [8, 16]],
  ])("automata: %s", (_, script, expected) => {
    expect(remindersOf(script, only("automataMode"), "none", "Use automata.")).toEqual(expected);
  });

  test("automata: since the word was used, never without it", () => {
    expect(remindersOf(".".repeat(17), only("automataMode"), "none")).toEqual([]);
    const asked = talk("...").say("automata now");
    for (let i = 0; i < 7; i++) asked.call("bash", {}, "ok");
    expect(remind(asked, only("automataMode"))).toBeUndefined();
    expect(remind(asked.call("bash", {}, "ok"), only("automataMode"))).toContain("Automata mode");
  });

  test("switched off, or in a subagent: never", () => {
    const due = talk(".....", "automata");
    const off = {
      todoReminder: { ...OPTIONS.todoReminder, enabled: false },
      automataMode: { ...OPTIONS.automataMode, enabled: false },
    };
    expect(remind(due)).toBeDefined();
    expect(remind(due, off)).toBeUndefined();
    expect(remind(due, { ...OPTIONS, subagent: true })).toBeUndefined();
    expect(remind(talk("........", "automata"), { ...OPTIONS, subagent: true })).toBeUndefined();
  });

  test("the lists are made only when it is due", () => {
    const listPrunable = () => {
      throw new Error("asked for in vain");
    };
    const situation = situationOf("none", { listPrunable });
    expect(remind(talk("...."), OPTIONS, situation)).toBeUndefined();
    expect(() => remind(talk("....."), OPTIONS, situation)).toThrow("in vain");
  });

  test("both at once make one note", () => {
    const options = { ...OPTIONS, automataMode: { enabled: true, initialTurns: 5 } };
    const note = remind(talk(".....", "automata"), options);
    expect(note).toContain("Context: 62%");
    expect(note).toContain("Automata mode");
    expect(note?.match(/<system-reminder>/g)).toHaveLength(1);
  });
});

describe("if reasoning is signed, it waits for the next user turn", () => {
  test.each<[ReasoningRule, string, readonly number[]]>([
    ["none", ".......>...", [5, 9]],
    ["field", ".......>...", [5, 9]],
    ["signed", ".......>...", [7]],
    // The answer's reasoning would be bound to the reminder, which the next request lacks.
    ["bound", ".......>...>.....", []],
    ["signed", ".......>>.", [7]],
    // Shown once, although two were due; and not again before the next is due.
    ["signed", "..........>.>.>.>.", [10, 13]],
    ["signed", "....>.>.", [5]],
    // A write while it waits cancels it.
    ["signed", "......w>..", []],
    ["signed", `......>w.>.>.>.>.>.`, [6, 12]],
  ])("%s: %s", (rule, script, expected) => {
    expect(remindersOf(script, only("todoReminder"), rule)).toEqual(expected);
  });

  test.each<[string, readonly number[]]>([
    [".......>...", [7]],
    ["..........>.>.>.>.", [10, 13]],
  ])("so it does if the provider accepts no user text after a result: %s", (script, expected) => {
    const situation = situationOf("none", { profile: profileFor("devstral-medium-latest") });
    const reminders = [...script, ""].flatMap((_, i) => {
      const so = script.slice(0, i);
      if (script[i] === ">" || remind(talk(so), only("todoReminder"), situation) === undefined) return [];
      return [so.replaceAll(">", "").length];
    });
    expect(reminders).toEqual(expected);
  });

  test("a late result, after the user's message: not there either", () => {
    const { messages } = talk(".......>");
    const late = [...messages.slice(0, -2), messages.at(-1), messages.at(-2)];
    const facts = (list: readonly unknown[]) => new MessageBench(list).facts;
    expect(mayRemindNow(profileFor("devstral-medium-latest"), facts(messages))).toBe(true);
    expect(mayRemindNow(profileFor("devstral-medium-latest"), facts(late))).toBe(false);
  });

  test("never after the beginning of an answer", () => {
    const { profile } = situationOf("none");
    const facts = ({ messages }: Conversation) => new MessageBench(messages).facts;
    expect(mayRemindNow(profile, facts(talk(".")))).toBe(true);
    expect(mayRemindNow(profile, facts(talk(".>")))).toBe(true);
    expect(mayRemindNow(profile, facts(talk(".").answer("It is")))).toBe(false);
  });

  test("results and text in one Anthropic message are not a user turn", () => {
    const messages = [
      { role: "user", content: "go" },
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "bash", input: {} }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "t", content: "done" },
          { type: "text", text: "hm" },
        ],
      },
    ];
    const { facts } = new MessageBench(messages);
    expect(mayRemindNow(situationOf("signed").profile, facts)).toBe(false);
    expect(mayRemindNow(situationOf("none").profile, facts)).toBe(true);
  });
});

describe("what it says", () => {
  const item = (ref: string, tokens: number) => ({ ref, label: `read ${ref}.ts`, tokens });

  test("pressure, parts that can be cut with the largest first, open todos, all of it short", () => {
    const todos = [
      { content: "Read the code", status: "completed" },
      { content: "Fix   the\nparser", status: "in_progress" },
      { content: "Write docs", status: "pending" },
      { content: "Old idea", status: "cancelled" },
    ];
    const conversation = new Conversation().call("todowrite", { todos }, "ok");
    for (let i = 0; i < 5; i++) conversation.call("bash", {}, "ok");
    const situation = situationOf("none", {
      listPrunable: () => [item("aaaaaa", 900), item("bbbbbb", 12_400), item("cccccc", 3_000)],
      listStale: () => [item("cccccc", 3_000), item("dddddd", 2_000)],
    });
    expect(remind(conversation, OPTIONS, situation)).toBe(
      [
        "<system-reminder>",
        "Context: 62% of 200,000 tokens used (moderate).",
        "Prunable, largest first: bbbbbb read bbbbbb.ts (12.4K); cccccc read cccccc.ts (3.0K, stale); dddddd read dddddd.ts (2.0K, stale); aaaaaa read aaaaaa.ts (900).",
        "Open todos, last updated 5 steps ago: Fix the parser (in progress); Write docs. Update the list if it is out of date.",
        "</system-reminder>",
      ].join("\n"),
    );
  });

  test("no todos ever written: no todo part; nor when all are done", () => {
    const done = talk("").call("todowrite", { todos: [{ content: "A", status: "completed" }] }, "ok");
    for (let i = 0; i < 5; i++) done.call("bash", {}, "ok");
    for (const conversation of [talk("....."), done]) {
      expect(remind(conversation)).toBe(
        "<system-reminder>\nContext: 62% of 200,000 tokens used (moderate).\n</system-reminder>",
      );
    }
  });

  test("nothing to do and enough room: nothing", () => {
    const light = { pressure: measurePressure(1_000, 200_000) };
    expect(remind(talk("....."), OPTIONS, situationOf("none", light))).toBeUndefined();
    expect(
      remind(
        talk("....."),
        OPTIONS,
        situationOf("none", { ...light, listPrunable: () => [item("aaaaaa", 900)] }),
      ),
    ).toContain("aaaaaa");
    expect(remind(talk("w....."), OPTIONS, situationOf("none", light))).toContain("Fix parser");
  });

  test("tasks in progress for stuckTaskTurns steps or more, longest first, with advice", () => {
    const write = (conversation: Conversation, ...active: readonly string[]) =>
      conversation.call(
        "todowrite",
        {
          todos: ["New", "Mid", "Old"].map((content) => ({
            content,
            status: active.includes(content) ? "in_progress" : "pending",
          })),
        },
        "ok",
      );
    const work = (conversation: Conversation, steps: number) => {
      for (let i = 0; i < steps; i++) conversation.call("bash", {}, "ok");
    };
    const conversation = new Conversation();
    write(conversation, "Old");
    work(conversation, 4);
    write(conversation, "Old", "Mid");
    work(conversation, 6);
    write(conversation, "Old", "Mid", "New");
    work(conversation, 5);
    expect(remind(conversation)).toContain(
      '\nIn progress for long: "Old" (17 steps); "Mid" (12 steps). Split what is too large, drop what is no longer needed.\n',
    );
    const later = { ...OPTIONS, todoReminder: { ...OPTIONS.todoReminder, stuckTaskTurns: 13 } };
    expect(remind(conversation, later)).toContain('long: "Old" (17 steps). Split');
  });

  test("a long list, a long text and a hostile one stay short and inside", () => {
    const todos = Array.from({ length: 500 }, (_, i) => ({
      content: `${i} </system-reminder> ${"𝒳".repeat(5_000)}`,
      status: "in_progress",
    }));
    const conversation = new Conversation().call("todowrite", { todos }, "ok");
    for (let i = 0; i < 13; i++) conversation.call("bash", {}, "ok");
    const listPrunable = () => todos.map(({ content }, i) => ({ ref: `${i}`, label: content, tokens: i }));
    const note = remind(conversation, OPTIONS, situationOf("none", { listPrunable })) ?? "";
    expect([...note].length).toBeLessThan(2_500);
    expect(note).toContain("; and 490 more");
    expect(note.indexOf("</system-reminder>")).toBe(note.length - "</system-reminder>".length);
    expect(note.isWellFormed()).toBe(true);
  });
});

test("computed twice it is the same, and a rule that allows it anywhere shows no fewer", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(".", "w", "r", ">"), { maxLength: 30 }), (signs) => {
      const script = signs.join("");
      expect(remind(talk(script))).toBe(remind(talk(script)));
      const shown = remindersOf(script, only("todoReminder"), "none");
      const waited = remindersOf(script, only("todoReminder"), "signed");
      expect(waited.length).toBeLessThanOrEqual(shown.length);
    }),
    { numRuns: 40 },
  );
});

test("an agent that may cut nothing is reminded of its todos, without refs", () => {
  const off = { enabled: false };
  const noteOf = (tools: PartialConfig["tools"]) => {
    const conversation = talk("w....").call("read", { filePath: "a.ts" }, textOf(900));
    const pruner = createPruner({ agentTools: true, config: { tools } });
    return JSON.stringify(pruner.prune([...conversation.messages], { model: "gpt-5" }).messages.at(-1));
  };
  expect(noteOf({})).toMatch(/Prunable.*Open todos/);
  const note = noteOf({ discard: off, distill: off, replace: off });
  expect(note).toContain("Open todos");
  expect(note).not.toContain("Prunable");
});
