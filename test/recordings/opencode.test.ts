import { describe, expect, it } from "vitest";
import { parseOpencode } from "../../src/recordings/opencode.ts";
import { codesOf, mustRead } from "./parse.ts";

const info = { id: "ses_1", projectID: "p", title: "t" };
const user = (id: string, created: number, parts: object[] = [{ type: "text", text: id }]) => ({
  info: { id, role: "user", time: { created }, model: { modelID: "not-a-response" } },
  parts,
});
const assistant = (id: string, created: number, more: object = {}) => ({
  info: {
    id,
    role: "assistant",
    modelID: "m1",
    time: { created, completed: created + 5 },
    finish: "stop",
    ...more,
  },
  parts: [{ type: "tool", callID: id, state: { status: "completed", input: {}, output: "out" } }],
});
const tokens = (input: number, output: number, more: object = {}) => ({
  tokens: { input, output, reasoning: 2, cache: { read: 30, write: 4 }, ...more },
});
const parse = (...messages: unknown[]) => mustRead(parseOpencode(JSON.stringify({ info, messages })));
const idsOf = (messages: readonly unknown[] | undefined) =>
  (messages as readonly { readonly info: { readonly id: string } }[]).map((message) => message.info.id);

describe("parseOpencode", () => {
  it("leaves the messages unchanged, and reads times, models and usage", () => {
    const messages = [
      user("u1", 1),
      assistant("a1", 2, tokens(10, 7)),
      assistant("a2", 8, tokens(0, 0, { cache: {} })),
    ];
    const recording = parse(...messages);
    expect(recording).toMatchObject({
      source: "opencode",
      format: "opencode",
      session: "ses_1",
      models: ["m1"],
    });
    expect(recording.segments).toEqual([
      {
        messages,
        meta: [
          { time: 1 },
          { time: 7, model: "m1", usage: { input: 10, cacheRead: 30, cacheWrite: 4, output: 7 } },
          { time: 13, model: "m1" },
        ],
        carried: 0,
      },
    ]);
  });

  it("counts reasoning as output, whether it is included or separate", () => {
    const inside = parse(assistant("a1", 1, tokens(10, 7, { total: 51 })));
    const beside = parse(assistant("a1", 1, tokens(10, 5, { total: 51 })));
    for (const { segments } of [inside, beside]) expect(segments[0]?.meta[0]?.usage?.output).toBe(7);
  });

  describe("at a compaction", () => {
    const marker = (tail?: string) =>
      user("c1", 20, [{ type: "compaction", auto: true, tail_start_id: tail }]);
    const summary = (more: object = {}) =>
      assistant("s1", 21, { summary: true, parentID: "c1", ...tokens(99, 9), ...more });
    const before = [user("u1", 1), assistant("a1", 2), user("u2", 3), assistant("a2", 4, tokens(10, 5))];

    it("starts a segment with the request, the summary and the kept tail", () => {
      const { segments } = parse(...before, marker("u2"), summary(), user("u3", 30));
      expect(segments.map(({ messages }) => idsOf(messages))).toEqual([
        ["u1", "a1", "u2", "a2"],
        ["c1", "s1", "u2", "a2", "u3"],
      ]);
      expect(segments.map(({ carried }) => carried)).toEqual([0, 4]);
      expect(segments[0]?.meta[3]?.usage?.input).toBe(10);
      expect(segments[1]?.meta.some(({ usage }) => usage !== undefined)).toBe(false);
    });

    it("keeps nothing where no tail is named", () => {
      const { segments } = parse(...before, marker(), summary(), user("u3", 30));
      expect(idsOf(segments[1]?.messages)).toEqual(["c1", "s1", "u3"]);
    });

    it("compacts once, although the summary was written twice", () => {
      const again = { ...summary(), info: { ...summary().info, id: "s2" } };
      const { segments } = parse(...before, marker(), summary(), user("u3", 30), again);
      expect(segments.map(({ messages }) => idsOf(messages).length)).toEqual([4, 4]);
    });

    it.each([
      { name: "failed", last: summary({ error: { name: "x" } }) },
      { name: "did not finish", last: summary({ finish: undefined }) },
      { name: "belongs to no request", last: summary({ parentID: "u2" }) },
    ])("continues as before if the summary $name", ({ last }) => {
      expect(parse(...before, marker("u2"), last, user("u3", 30)).segments).toHaveLength(1);
    });
  });

  it("skips and counts entries that are not messages", () => {
    const recording = parse(user("u1", 1), null, { info: {} }, "x", assistant("a1", 2));
    expect(idsOf(recording.segments[0]?.messages)).toEqual(["u1", "a1"]);
    expect(codesOf(recording)).toEqual(["malformed-message", "malformed-message", "malformed-message"]);
    expect(recording.skipped).toBe(3);
  });

  it.each([
    {
      name: "cut off",
      text: JSON.stringify({ info, messages: [user("u1", 1)] }).slice(0, -5),
      says: "export the session again",
    },
    { name: "without messages", text: JSON.stringify({ info }), says: "no messages" },
  ])("reports the problem with an export that is $name", ({ text, says }) => {
    const result = parseOpencode(text, "f.json");
    expect(result).toMatchObject({ ok: false, issue: { code: "unreadable-input", where: "f.json" } });
    expect(!result.ok && result.issue.message).toContain(says);
  });
});
