import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerInfo } from "../src/answers/answer-info.ts";
import { answerPrune } from "../src/answers/answer-prune.ts";
import { answerRecall } from "../src/answers/answer-recall.ts";
import { mergeLevels } from "../src/config/merge.ts";
import type { PruneRequest } from "../src/fold/prune-request.ts";
import { FORMAT_NAMES } from "../src/formats/detect.ts";
import { createPruner } from "../src/pruner.ts";
import { AgentSession } from "./agent/agent-session.ts";
import { render, scripts } from "./generate.ts";
import { ownSeed } from "./own-seed.ts";

type Container = Record<string, unknown>;

/** Every access to it throws. */
function revoked(target: object): unknown {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

const angry = (): never => {
  throw Object.create(null);
};
const trapped = new Proxy({}, { get: angry, has: angry, ownKeys: angry, getPrototypeOf: angry });

/** Values that no type allows, and some that throw when they are read. */
const HOSTILE: readonly (readonly [name: string, value: unknown])[] = [
  ["a revoked proxy", revoked({})],
  ["a revoked list", revoked([])],
  ["an object of traps", trapped],
  ["an object without a prototype", Object.create(null)],
  ["a symbol", Symbol("s")],
  ["a bigint", 7n],
  ["a function", angry],
  ["null", null],
  ["nothing", undefined],
  ["not a number", Number.NaN],
  ["infinity", Number.POSITIVE_INFINITY],
  ["a negative number", -3],
  ["a text", "12"],
  ["a list of nothing", [undefined, null]],
];

function install(inside: Container, key: string, value: unknown): void {
  Object.defineProperty(inside, key, { value, enumerable: true, configurable: true, writable: true });
}

function installGetter(inside: Container, key: string): void {
  Object.defineProperty(inside, key, { get: angry, enumerable: true, configurable: true });
}

function listPlaces(value: unknown): readonly { readonly inside: Container; readonly key: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = value as Container;
  return Object.keys(inside).flatMap((key) => [{ inside, key }, ...listPlaces(inside[key])]);
}

describe("messages", () => {
  test.each(FORMAT_NAMES)("%s: hostile objects at every place and depth", (format) => {
    const codes = new Set<string>();
    fc.assert(
      fc.property(
        scripts({ reasoning: "plain" }),
        fc.nat(),
        fc.option(fc.constantFrom(...HOSTILE)),
        fc.boolean(),
        (script, at, hostile, isNamed) => {
          const session = render(script, format);
          const messages = structuredClone(session.messages) as unknown[];
          const pruner = createPruner({ agentTools: true, ...(isNamed && { format }) });
          const request = { meta: session.meta };
          const places = listPlaces(messages);
          const place = places[at % places.length];
          if (!place) return;
          pruner.prune(session.messages, request);
          if (hostile) install(place.inside, place.key, hostile[1]);
          else installGetter(place.inside, place.key);
          // A list with a getter in it is unreadable, including its messages.
          const given = readAll(messages);

          const { messages: out, sources, report } = pruner.prune(messages, request);
          for (const { code } of report.issues) codes.add(code);
          const isAsItCame = report.issues.some(
            ({ code }) => code === "fold-failed" || code === "unknown-format",
          );
          if (!given) expect(out === messages).toBe(true);
          else if (isAsItCame) {
            expect(sources).toEqual([...messages.keys()]);
            expect(out.every((message, i) => Object.is(message, given[i]))).toBe(true);
          } else expect(sources.every((source, i) => i === 0 || source > (sources[i - 1] ?? 0))).toBe(true);
          pruner.agentView();

          const again = pruner.prune(session.messages, request);
          const cold = createPruner({ agentTools: true, format }).prune(session.messages, request);
          expect(JSON.stringify(again.messages)).toBe(JSON.stringify(cold.messages));
        },
      ),
      { numRuns: 25, endOnFailure: true, ...ownSeed(format) },
    );
    expect([...codes]).toContain("fold-failed");
  });

  function readAll(messages: readonly unknown[]): readonly unknown[] | undefined {
    try {
      return [...messages];
    } catch {
      return undefined;
    }
  }

  test.each(HOSTILE)("%s instead of a list, and as a message", (_, value) => {
    const whole = createPruner().prune(value as unknown[]);
    expect(Object.is(whole.messages, value) || whole.messages.length === 2).toBe(true);
    expect(whole.report.issues.length).toBeGreaterThan(0);

    const messages = [
      { role: "user", content: "go" },
      value,
      { role: "assistant", content: "ok" },
      undefined,
    ];
    const { messages: out, sources } = createPruner().prune(messages);
    expect(out.length).toBe(4);
    expect(out.every((message, i) => Object.is(message, messages[i]))).toBe(true);
    expect(sources).toEqual([0, 1, 2, 3]);
  });

  test("undefined entries and holes come back at their places, beside messages that are cut", () => {
    const long = "a line of some length\n".repeat(200);
    const call = (id: string) => ({
      role: "assistant",
      content: null,
      tool_calls: [{ id, type: "function", function: { name: "lookup", arguments: '{"a":1}' } }],
    });
    const result = (id: string) => ({ role: "tool", tool_call_id: id, content: long });
    // biome-ignore lint/suspicious/noSparseArray: the test needs a hole
    const messages = [
      { role: "user", content: "go" },
      undefined,
      call("a"),
      result("a"),
      ,
      call("b"),
      result("b"),
    ];
    const {
      messages: out,
      sources,
      report,
    } = createPruner({ config: { schedule: { mode: "eager" } } }).prune(messages);
    expect(report.edits.length).toBe(1);
    expect(sources).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(out[1]).toBe(undefined);
    expect(out[4]).toBe(undefined);
    expect(out[3]).not.toBe(messages[3]);
  });
});

describe("the request", () => {
  const session = new AgentSession().call("read", { filePath: "a.ts" }, "text");
  const { messages } = session;
  const plain = JSON.stringify(createPruner().prune(messages).messages);
  const FIELDS = ["session", "model", "window", "at", "carried", "meta", "subagent", "status"] as const;
  const GOOD: Readonly<Record<string, readonly string[]>> = {
    session: ["a text"],
    model: ["a text"],
    at: ["a negative number"],
  };

  test.each(HOSTILE)("%s as the request", (_, value) => {
    const { messages: out, report } = createPruner().prune(messages, value as PruneRequest);
    expect(JSON.stringify(out)).toBe(plain);
    if (typeof value !== "object" || value === null) {
      const isReported = report.issues.some(({ code }) => code === "invalid-request");
      expect(isReported).toBe(value !== undefined);
    }
  });

  test.each(FIELDS)("%s: a bad value is reported, and costs nothing else", (field) => {
    const getter: Container = {};
    installGetter(getter, field);
    const given = [
      ...HOSTILE.map(([name, value]) => [name, { [field]: value }] as const),
      ["a getter", getter] as const,
    ];
    for (const [name, request] of given) {
      const { messages: out, report } = createPruner().prune(messages, request as PruneRequest);
      const isFine = name === "nothing" || GOOD[field]?.includes(name);
      const complaints = report.issues
        .filter(({ code }) => code === "invalid-request")
        .map(({ message }) => message);
      expect(complaints.length, `${name} as ${field}`).toBe(isFine ? 0 : 1);
      if (!isFine) expect(complaints[0]).toContain(field);
      expect(JSON.stringify(out)).toBe(plain);
    }
  });

  test.each(["time", "usage", "model", "terms"])("meta.%s: bad entries are one issue", (field) => {
    const getter: Container = {};
    installGetter(getter, field);
    const entries = [
      ...HOSTILE.map(([, value]) => ({ [field]: value })),
      getter,
      { usage: { input: -1 } },
      7,
      null,
    ];
    const meta = [...entries, ...entries];
    const many = Array.from({ length: 16 }, () => messages).flat();
    const { report } = createPruner().prune(many, { meta } as unknown as PruneRequest);
    const complaints = report.issues
      .filter(({ code }) => code === "invalid-request")
      .map(({ message }) => message);
    expect(complaints.length).toBe(1);
    expect(complaints[0]).toMatch(/^meta\[\d+\].*and \d\d more/);
    expect(report.issues.every(({ code }) => code !== "fold-failed")).toBe(true);
  });

  test("an invalid window: the model's own window counts", () => {
    const windows = [Number.NaN, -1, 0, Number.POSITIVE_INFINITY, "9000"].map(
      (window) =>
        createPruner().prune(messages, { model: "gpt-4", window } as PruneRequest).report.pressure.window,
    );
    expect(new Set(windows).size).toBe(1);
    expect(windows[0]).toBe(createPruner().prune(messages, { model: "gpt-4" }).report.pressure.window);
  });

  test("times and usage in messages that are not numbers count as missing", () => {
    const bad = [
      { role: "user", content: "go", timestamp: Number.NaN },
      {
        role: "assistant",
        content: [{ type: "text", text: "ok" }],
        timestamp: Number.POSITIVE_INFINITY,
        usage: { input: Number.POSITIVE_INFINITY, output: 1 },
      },
      { role: "user", content: "more", timestamp: 5 },
    ];
    const { report } = createPruner({ format: "pi" }).prune(bad);
    expect(Number.isFinite(report.bill.with)).toBe(true);
    expect(Number.isFinite(report.pressure.used)).toBe(true);
  });
});

describe("options in code are checked against the schema of the files", () => {
  const { messages } = new AgentSession().call("bash", { command: "npm test" }, "ok");
  const none = { role: "user", content: "go" };

  test.each<[string, unknown, string]>([
    ['shadow: "false"', { shadow: "false" }, "shadow"],
    [
      'protectedTools: "bash"',
      { tools: { settings: { protectedTools: "bash" } } },
      "tools.settings.protectedTools",
    ],
    ["window: NaN", { window: Number.NaN }, "window"],
    ["window: -5", { window: -5 }, "window"],
    ["window: Infinity", { window: Number.POSITIVE_INFINITY }, "window"],
    ["a threshold above 1", { strategies: { compactThreshold: 75 } }, "strategies.compactThreshold"],
    ["not an object", "eager", "configuration"],
  ])("%s: reported in every report, the default is used", (_, config, key) => {
    const pruner = createPruner({ config: config as object });
    for (const given of [messages, messages, [], [none]]) {
      const { report } = pruner.prune(given);
      const told = report.issues.filter(({ code }) => code === "config-invalid-value");
      expect(told.map(({ message }) => message.split(":")[0])).toEqual([key]);
      expect(report.status).toBe("on");
      expect(report.issues.some(({ code }) => code === "fold-failed" || code === "strategy-failed")).toBe(
        false,
      );
    }
  });

  test("the merged result of all levels is accepted, as hosts pass it on", () => {
    const { config } = mergeLevels([
      { name: "a", config: { schedule: { prices: { "*": { read: 0.1 } } }, unprotect: ["write"] } },
      { name: "b", config: { summaries: [{ tool: "x", keep: { first: 2 } }], window: 9_000 } },
    ]);
    const { report } = createPruner({ config }).prune(messages);
    expect(report.issues.filter(({ code }) => code.startsWith("config-"))).toEqual([]);
    expect(report.pressure.window).toBe(9_000);
  });

  test("valid settings beside it count", () => {
    const config = { shadow: "false", schedule: { mode: "eager", modus: 1 }, window: 9_000 };
    const { report } = createPruner({ config: config as object }).prune(messages);
    expect(report.pressure.window).toBe(9_000);
    expect(report.issues.map(({ code }) => code)).toContain("config-unknown-key");
  });

  test.each(["prefixTokens", "overheadTokens"])("%s that is not a count: the default", (name) => {
    const good = createPruner().prune(messages).report;
    for (const value of [Number.NaN, -1, Number.POSITIVE_INFINITY, "8000", null]) {
      const { report } = createPruner({ [name]: value }).prune(messages);
      expect(report.bill).toEqual(good.bill);
      expect(report.issues.filter(({ message }) => message.startsWith(name)).length).toBe(1);
    }
  });
});

describe("the agent's tools answer any input", () => {
  const session = new AgentSession().call("read", { filePath: "a.ts" }, "text\n".repeat(400));
  session.prune();
  const ANSWERS = { answerPrune, answerRecall, answerInfo };

  test.each(Object.entries(ANSWERS))("%s", (_, answer) => {
    for (const [, value] of HOSTILE) {
      const getter: Container = {};
      for (const key of ["action", "targets", "ref", "lines", "search"]) installGetter(getter, key);
      const inputs = [
        value,
        getter,
        { action: value, targets: value, ref: value },
        { action: "discard", targets: [value, [value], [[value]]] },
        { action: "distill", targets: [["a1b2c3", value]] },
        {
          action: "replace",
          targets: [{ start: value, end: value, replacement: value }, [value, value, value]],
        },
        { action: "restore", targets: [value] },
        { ref: "a1b2c3", lines: value, search: value },
      ];
      for (const input of inputs) {
        const text = answer(input, session.view());
        expect(text.length).toBeGreaterThan(10);
        expect(text).not.toMatch(/^(?:Cut|Restored): /m);
      }
    }
  });
});
