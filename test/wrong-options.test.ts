import { describe, expect, test } from "vitest";
import { mergeLevels, parseConfig } from "../src/config/index.ts";
import { toIssue } from "../src/config/problem.ts";
import { sift } from "../src/config/sift.ts";
import { createPruner, type PrunerOptions, usePass } from "../src/index.ts";
import { Conversation, textOf } from "./conversation.ts";

function throwing(name: string): object {
  return Object.defineProperty({}, name, {
    enumerable: true,
    get: () => {
      throw new Error("not to be read");
    },
  });
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** A result that a newer one repeats, which the default options cut at once. */
const { messages } = new Conversation()
  .call("read", { filePath: "a.ts" }, textOf(400))
  .call("read", { filePath: "a.ts" }, textOf(400))
  .say("And now?");

/** Messages about options that no types have checked, in every report. */
function tell(options: unknown): readonly string[] {
  const pruner = createPruner(options as PrunerOptions);
  const [first, second] = [pruner.prune(messages), pruner.prune(messages)].map(({ report }) =>
    report.issues
      .filter(({ code }) => code === "invalid-request" || code.startsWith("config-"))
      .map(({ code, message }) => `${code}: ${message}`),
  );
  expect(second).toEqual(first);
  return first ?? [];
}

describe("unreadable options are left out, and every report says so", () => {
  test.each<[string, () => unknown, string]>([
    ["null", () => null, "invalid-request: the options: expected an object; went on without"],
    ["a text", () => "x", "invalid-request: the options: expected an object; went on without"],
    [
      "a config that throws",
      () => throwing("config"),
      "invalid-request: config: expected a configuration, and it can't be read; left out",
    ],
    [
      "a revoked config",
      () => ({ config: revoked() }),
      "config-unreadable: configuration: it can't be read; ignored",
    ],
    [
      "a revoked room of the config",
      () => ({ config: { tools: revoked() } }),
      "config-unreadable: tools: it can't be read; ignored",
    ],
    [
      "a revoked entry",
      () => ({ config: { unprotect: [revoked()] } }),
      "config-unreadable: unprotect[0]: it can't be read; left out",
    ],
    [
      "a setting that throws",
      () => ({ config: throwing("window") }),
      "config-unreadable: window: it can't be read; using null (default)",
    ],
    [
      "a setting further in that throws",
      () => ({ config: { schedule: throwing("mode") } }),
      'config-unreadable: schedule.mode: it can\'t be read; using "rent-or-buy" (default)',
    ],
    [
      "a revoked list of passes",
      () => ({ passes: revoked() }),
      "invalid-request: passes: expected a list of passes, as `usePass` makes them, and it can't be read; left out",
    ],
  ])("%s", (_, make, message) => {
    expect(tell(make())).toEqual([message]);
  });

  test("a revoked proxy in place of all options", () => {
    expect(tell(revoked()).length).toBeGreaterThan(0);
  });

  test("the other settings count", () => {
    const config = Object.assign(throwing("window"), { protectedFilePatterns: ["*.a", 5], shadow: true });
    const parsed = parseConfig(config, "options");
    expect(parsed.config).toEqual({ protectedFilePatterns: ["*.a"], shadow: true });
    expect(parsed.issues.map(({ message }) => message).toSorted()).toEqual([
      "protectedFilePatterns[1]: expected a string, got 5; left out",
      "window: it can't be read; using null (default)",
    ]);
  });
});

describe("options of the wrong kind are left out, and every report says so", () => {
  const pass = usePass({ name: "none", propose: () => [] });

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['protect: expected a function, got "bash"; left out', { protect: "bash" }],
    ['passes: expected a list of passes, as `usePass` makes them, got "x"; left out', { passes: "x" }],
    [
      "passes: expected a list of passes, as `usePass` makes them, got a list; left out",
      { passes: [pass, 5] },
    ],
    [
      "passes: expected a list of passes, as `usePass` makes them, got a list; left out",
      { passes: [{ name: "bare", propose: () => [] }] },
    ],
    ['ladder: expected a list of rungs: { name, propose }, got "x"; left out', { ladder: "x" }],
    [
      'format: expected "opencode", "pi", "ai-sdk", "gemini", "langchain", "openai-responses", "openai-agents", "anthropic-messages", "openai-chat" or a format of your own: { name, decode, rewrite, placeNote }, got "nope"; left out',
      { format: "nope" },
    ],
    ["prefixTokens: expected a number ≥ 0, got -1; left out", { prefixTokens: -1 }],
  ])("%s", (message, options) => {
    expect(tell(options)).toEqual([`invalid-request: ${message}`]);
    const given = { config: { schedule: { mode: "eager" } }, ...options } as PrunerOptions;
    expect(createPruner(given).prune(messages).report.edits.length).toBe(1);
  });

  test("good ones are not", () => {
    const rung = { name: "none", propose: () => [] };
    expect(tell({ passes: [pass], ladder: [rung], protect: () => true, format: "openai-chat" })).toEqual([]);
    expect(tell({ passes: [], ladder: [] })).toEqual([]);
  });
});

describe("however much of a configuration is wrong, the rest is used", () => {
  /** More than a function can have as arguments, which is how the schema passes its problems on. */
  const MANY = 200_000;
  const many = <T>(count: number, make: (i: number) => T): readonly T[] =>
    Array.from({ length: count }, (_, i) => make(i));

  test("an entry with too many errors is left out alone", () => {
    const config = {
      toolKinds: [
        { names: many(MANY, () => 5), kind: "read" },
        { names: ["mine"], kind: "read" },
      ],
    };
    const parsed = parseConfig(config);
    expect(parsed.config).toEqual({ toolKinds: [{ names: ["mine"], kind: "read" }] });
    expect(parsed.issues.map(({ message }) => message)).toEqual(["toolKinds[0]: it can't be read; left out"]);
    expect(tell({ config })).toEqual(["config-unreadable: toolKinds[0]: it can't be read; left out"]);
  });

  test.each<[string, unknown, object, string, string]>([
    [
      "names",
      { shadow: true, tools: { settings: { protectedTools: [...many(150, () => 5), "mine"] } } },
      { shadow: true, tools: { settings: { protectedTools: ["mine"] } } },
      "tools.settings.protectedTools[0]: expected a string, got 5; left out",
      "tools.settings.protectedTools: more of its entries are wrong; left out",
    ],
    [
      "prices",
      { schedule: { prices: { ...many(150, () => 5), mine: { read: 0.1 } }, mode: "eager" } },
      { schedule: { prices: { mine: { read: 0.1 } }, mode: "eager" } },
      "schedule.prices.0: expected { write, read, ttl, minimumPrefix, dollarsPerMillion, window, reasoning }, got 5; ignored",
      "schedule.prices: more of its entries are wrong; left out",
    ],
  ])(
    "%s are checked one by one, and if very many are bad, the first are reported",
    (_, value, config, ...told) => {
      const sifted = sift(value);
      expect(sifted.value).toEqual(config);
      const merged = mergeLevels([]);
      const messages = sifted.problems.map((problem) => toIssue(problem, merged).message);
      expect(messages.length).toBe(101);
      expect([messages[0], messages[100]]).toEqual(told);
    },
  );
});
