import { describe, expect, test } from "vitest";
import { addLosses } from "../../src/prefix/cache-loss.ts";
import { explainLoss, type LossTerms } from "../../src/prefix/explain-loss.ts";
import { type PrefixFingerprint, takeFingerprint } from "../../src/prefix/fingerprint.ts";

const MARK = { cache_control: { type: "ephemeral" } };
const tool = (name: string, description = "Does it.") => ({ name, description, input_schema: {} });
const text = (words: string, more: object = {}) => ({ type: "text", text: words, ...more });
const IMAGE = { type: "image", source: { type: "base64", data: "AAAA" } };

const BODY = {
  model: "claude-sonnet-4-5",
  system: [text("You are an agent. Today is 2026-11-18.", MARK)],
  tools: [tool("Read"), tool("Bash")],
  messages: [
    { role: "user", content: [text("<system-reminder>\nBe kind.\n</system-reminder>"), text("Fix it.")] },
    { role: "assistant", content: [text("I look at it."), IMAGE] },
    { role: "user", content: [text("Good.", MARK)] },
  ],
};
type Body = typeof BODY | Record<string, unknown>;

const print = (body: Body, features?: string): PrefixFingerprint => {
  const found = takeFingerprint(JSON.stringify(body), undefined, features);
  if (!found) throw new Error("not read");
  return found;
};

const TERMS: LossTerms = { pause: 10_000, ttl: 300_000, isCut: false };
const explain = (now: Body, terms: Partial<LossTerms> = {}, before: Body = BODY) =>
  explainLoss(print(before), print(now), { ...TERMS, ...terms });

const [first, second, third] = BODY.messages;
const grown = [...BODY.messages, { role: "assistant", content: "Done." }, { role: "user", content: "And?" }];
const blocks = (count: number) => Array.from({ length: count }, (_, i) => text(`block ${i}`));
const withFirst = (content: unknown) => ({ ...BODY, messages: [{ role: "user", content }, second, third] });

describe("the first difference is named", () => {
  test.each<[string, Body, string, string]>([
    ["a tool more", { ...BODY, tools: [...BODY.tools, tool("Grep")] }, "tools", "Grep was added"],
    ["a tool less", { ...BODY, tools: [tool("Read")] }, "tools", "Bash was removed"],
    ["another tool", { ...BODY, tools: [tool("Read", "Other."), tool("Bash")] }, "tools", "Read was changed"],
    [
      "another order",
      { ...BODY, tools: [tool("Bash"), tool("Read")] },
      "tools",
      "the order differs from Bash on",
    ],
    [
      "many tools",
      { ...BODY, tools: [...BODY.tools, ..."abcde".split("").map((name) => tool(name))] },
      "tools",
      "a, b, c and 2 others were added",
    ],
    ["another prompt", { ...BODY, system: "You are a poet." }, "system", "block 1 was changed"],
    [
      "a date in the prompt",
      { ...BODY, system: [text("You are an agent. Today is 2026-11-19.")] },
      "system",
      "block 1: a date",
    ],
    [
      "more of the prompt",
      { ...BODY, system: [...BODY.system, text("More.")] },
      "system",
      "block 2 was added",
    ],
    ["a reminder gone", withFirst([text("Fix it.")]), "messages", "message 1: a reminder"],
    [
      "an attachment gone",
      { ...BODY, messages: [first, { ...second, content: [text("I look at it.")] }, third] },
      "messages",
      "message 2: an attachment",
    ],
    ["another message", withFirst("Fix that."), "messages", "message 1 was changed"],
    ["fewer messages", { ...BODY, messages: [first, second] }, "messages", "message 3 was removed"],
    [
      "another model",
      { ...BODY, model: "claude-haiku-4-5" },
      "model",
      "claude-sonnet-4-5 before, claude-haiku-4-5 now",
    ],
    [
      "no marks",
      {
        ...BODY,
        system: [text("You are an agent. Today is 2026-11-18.")],
        messages: [first, second, { role: "user", content: "Good." }],
      },
      "marks",
      "all cache marks were removed",
    ],
    [
      "marks too far on",
      {
        ...BODY,
        messages: [
          first,
          second,
          { role: "user", content: "Good." },
          { role: "user", content: [...blocks(20), text("end", MARK)] },
        ],
      },
      "marks",
      "no cache mark within 20 blocks after the previous last one",
    ],
    ["a choice of tools", { ...BODY, tool_choice: { type: "any" } }, "settings", "tool_choice was added"],
    [
      "nothing",
      {
        ...BODY,
        messages: [
          first,
          second,
          { role: "user", content: "Good." },
          { role: "user", content: [text("end", MARK)] },
        ],
      },
      "provider",
      "nothing differs",
    ],
  ])("%s", (_, now, cause, what) => {
    expect(explain(now)).toEqual({ cause, what });
  });

  test("dates of many forms", () => {
    const say = (date: string) => withFirst(`Today's date is ${date}. Fix it.`);
    for (const [before, now] of [
      ["2026-11-18", "2026-11-19"],
      ["Wed Nov 18 2026", "Thu Nov 19 2026"],
      ["Wednesday, November 18, 2026", "Thursday, November 19, 2026"],
      ["18 November 2026 at 09:15", "19 November 2026 at 10:02"],
      ["2026-11-18T09:15:00.000Z", "2026-11-18T09:16:01.123Z"],
      ["18.11.2026", "19.11.2026"],
      ["1763456789", "1763456999123"],
    ] as const)
      expect(explain(say(now), {}, say(before)).what, now).toBe("message 1: a date");
    expect(explain(say("version 4"), {}, say("version 3")).what).toBe("message 1 was changed");
  });

  test("a pause longer than the cache lifetime comes before changed text, another model before both", () => {
    const changed = { ...BODY, tools: [] };
    expect(explain(changed, { pause: 400_000 })).toEqual({ cause: "time", what: "a pause of 6 min" });
    expect(explain(changed, { pause: 10_800_000 }).what).toBe("a pause of 3 h");
    expect(explain({ ...changed, model: "x" }, { pause: 400_000 }).cause).toBe("model");
  });

  test("a message that changed with a cut of Coppice's is Coppice's doing, a tool is not", () => {
    expect(explain(withFirst("Fix that."), { isCut: true }).cause).toBe("cut");
    expect(explain({ ...BODY, tools: [] }, { isCut: true }).cause).toBe("tools");
  });

  test("another feature in the headers", () => {
    const [before, now] = [print(BODY, "a-1,b-2"), print(BODY, "b-2, c-3")];
    expect(explainLoss(before, now, TERMS)).toEqual({ cause: "headers", what: "c-3, a-1 in anthropic-beta" });
    expect(explainLoss(before, print(BODY, "b-2,a-1"), TERMS).cause).toBe("provider");
  });

  test("the provider's own diagnosis has precedence, with our words if both agree", () => {
    expect(explain(BODY, { diagnosis: "system_changed" })).toEqual({
      cause: "system",
      what: "as the provider says",
    });
    expect(explain({ ...BODY, tools: [tool("Read")] }, { diagnosis: "tools_changed" }).what).toBe(
      "Bash was removed",
    );
    expect(explain(withFirst("No."), { diagnosis: "messages_changed", isCut: true }).cause).toBe("cut");
    expect(explain(BODY, { diagnosis: "unavailable" }).cause).toBe("provider");
  });
});

describe("differences that a provider ignores", () => {
  test.each<[string, Body]>([
    [
      "marks that move on, and text that is a block no more",
      {
        ...BODY,
        messages: [
          first,
          second,
          { role: "user", content: "Good." },
          ...grown.slice(3, 4),
          { role: "user", content: [text("And?", MARK)] },
        ],
      },
    ],
    [
      "a header of Claude Code's in the system prompt",
      { ...BODY, system: [text("x-anthropic-billing-header: cch=1;"), ...BODY.system] },
    ],
  ])("%s", (_, now) => {
    expect(explain(now).cause).toBe("provider");
  });
});

describe("other wires", () => {
  test.each<[string, Body, Body, string]>([
    [
      "Responses",
      { model: "gpt-5", instructions: "A", input: [{ type: "message", role: "user", content: "Hi" }] },
      { model: "gpt-5", instructions: "B", input: [{ type: "message", role: "user", content: "Hi" }] },
      "system",
    ],
    [
      "Responses with a text",
      { model: "gpt-5", input: "Hi", prompt_cache_key: "a" },
      { model: "gpt-5", input: "Hi", prompt_cache_key: "b" },
      "settings",
    ],
    [
      "Chat",
      { model: "m", messages: [{ role: "system", content: "A" }] },
      { model: "m", messages: [{ role: "system", content: "B" }] },
      "messages",
    ],
    [
      "Gemini",
      { contents: [], systemInstruction: { parts: [{ text: "A" }] } },
      { contents: [], systemInstruction: { parts: [{ text: "B" }] } },
      "system",
    ],
    [
      "Code Assist",
      { model: "g", request: { contents: [{ role: "user", parts: [{ text: "A" }] }] } },
      { model: "g", request: { contents: [{ role: "user", parts: [{ text: "B" }] }] } },
      "messages",
    ],
  ])("%s", (_, before, now, cause) => {
    expect(explain(now, {}, before).cause).toBe(cause);
    expect(explain(before, {}, before).cause).toBe("provider");
  });

  test("an unreadable body has no fingerprint", () => {
    expect(takeFingerprint("[]", undefined, undefined)).toBeUndefined();
    expect(takeFingerprint("{", undefined, undefined)).toBeUndefined();
  });
});

test("a fingerprint contains no text", () => {
  const kept = JSON.stringify(print({ ...BODY, messages: grown }));
  for (const words of ["agent", "kind", "Fix", "look", "Good", "Done"]) expect(kept).not.toContain(words);
});

test("losses are added up by cause, the most expensive first", () => {
  const loss = { what: "", tokens: 10 };
  expect(
    addLosses(
      [{ cause: "time", count: 2, tokens: 5, dollars: 1 }],
      [
        { cause: "tools", ...loss, dollars: 3 },
        { cause: "time", ...loss, dollars: 1 },
        { cause: "time", ...loss },
      ],
    ),
  ).toEqual([
    { cause: "tools", count: 1, tokens: 10, dollars: 3 },
    { cause: "time", count: 4, tokens: 25, dollars: 2 },
  ]);
});

test("unchanged parts are shared, and give the same fingerprint", () => {
  const before = print(BODY);
  const body = JSON.stringify({ ...BODY, messages: grown });
  const now = takeFingerprint(body, undefined, undefined, before);
  expect(now).toEqual(takeFingerprint(body, undefined, undefined));
  expect(now?.messages[0]).toBe(before.messages[0]);
});
