import fc from "fast-check";
import { expect, test } from "vitest";
import type { PartialConfig } from "../../src/config/config.ts";
import { DEFAULT_CONFIG } from "../../src/config/defaults.ts";
import { parseConfig } from "../../src/config/parse.ts";
import { valueAt } from "../../src/config/problem.ts";
import { listSettings } from "../../src/config/settings.ts";

const RULE = {
  call: { begin: "<run>", end: "</run>" },
  result: { begin: "Output:" },
  tool: "sh",
  field: "script",
};

test.each<[unknown, PartialConfig]>([
  [{}, {}],
  [{ $schema: "./coppice.schema.json", debug: true }, { debug: true }],
  [
    { debug: undefined, commands: undefined, tools: { discard: { enabled: undefined } } },
    { tools: { discard: {} } },
  ],
  [{ schedule: { prices: { read: 0.1 } } }, { schedule: { prices: { "*": { read: 0.1 } } } }],
  [
    { schedule: { prices: { read: 0.1, "*": { read: 0.2, write: 1 }, "gpt-5.1*": { reasoning: "none" } } } },
    { schedule: { prices: { "*": { read: 0.2, write: 1 }, "gpt-5.1*": { reasoning: "none" } } } },
  ],
  [
    { schedule: { model: null, ingestCap: null }, window: null },
    { schedule: { model: null, ingestCap: null }, window: null },
  ],
  [
    {
      summaries: [
        { tool: "a", keep: { lines: "^x$" } },
        { tool: "b_*", keep: { first: 1 } },
      ],
    },
    {
      summaries: [
        { tool: "a", keep: { lines: "^x$" } },
        { tool: "b_*", keep: { first: 1 } },
      ],
    },
  ],
  [
    { toolKinds: [{ names: ["peek"], kind: "read", path: "where", identifying: ["why"] }] },
    { toolKinds: [{ names: ["peek"], kind: "read", path: "where", identifying: ["why"] }] },
  ],
])("%j is fine", (value, config) => {
  expect(parseConfig(value)).toEqual({ config, issues: [] });
});

test.each<[unknown, PartialConfig, string | RegExp]>([
  [5, {}, "configuration: expected an object, got 5; ignored"],
  [null, {}, "configuration: expected an object, got null; ignored"],
  [[], {}, "configuration: expected an object, got an empty list; ignored"],
  [
    { enabled: "yes", debug: true },
    { debug: true },
    'enabled: expected true or false, got "yes"; using true (default)',
  ],
  [
    { pruneNotification: "loud" },
    {},
    'pruneNotification: expected "off", "minimal" or "detailed", got "loud"; using "minimal" (default)',
  ],
  [
    { strategies: { pruneProtect: -1, pruneMinimum: 5 } },
    { strategies: { pruneMinimum: 5 } },
    "strategies.pruneProtect: expected a whole number ≥ 0, got -1; using 40000 (default)",
  ],
  [
    { strategies: { compactThreshold: 75 } },
    { strategies: {} },
    "strategies.compactThreshold: expected a number from 0 to 1, got 75; using 0.75 (default)",
  ],
  [
    { schedule: { model: 5 } },
    { schedule: {} },
    "schedule.model: expected a string or null, got 5; using null (default)",
  ],
  [
    { commands: 7, debug: true },
    { debug: true },
    "commands: expected { enabled, protectedTools }, got 7; ignored",
  ],
  [
    { strategies: { aggressivePruning: { preset: "compact", pruneFiles: 1 } } },
    { strategies: { aggressivePruning: { preset: "compact" } } },
    "strategies.aggressivePruning.pruneFiles: expected true or false, got 1; using true (compact)",
  ],
  [
    { tools: { settings: { protectedTools: ["a", 5, "b"] } } },
    { tools: { settings: { protectedTools: ["a", "b"] } } },
    "tools.settings.protectedTools[1]: expected a string, got 5; left out",
  ],
  [{ unprotect: "task" }, {}, 'unprotect: expected a list of strings, got "task"; using [] (default)'],
  [
    {
      summaries: [
        { tool: "a", keep: { lines: "(" } },
        { tool: "b", keep: { last: 2 } },
      ],
    },
    { summaries: [{ tool: "b", keep: { last: 2 } }] },
    'summaries[0].keep.lines: expected a regular expression that takes linear time on every line, got "("; left out',
  ],
  [
    { summaries: [{ tool: "a", keep: { lines: "(a|a)*$" } }] },
    { summaries: [] },
    'summaries[0].keep.lines: expected a regular expression that takes linear time on every line, got "(a|a)*$"; left out',
  ],
  [
    { protectedFilePatterns: ["*a*a*a*a*b", "*.lock"] },
    { protectedFilePatterns: ["*.lock"] },
    'protectedFilePatterns[0]: expected a glob that takes linear time on every name, got "*a*a*a*a*b"; left out',
  ],
  [
    { toolKinds: [{ names: ["*a*a*a*a*b"], kind: "read" }] },
    { toolKinds: [] },
    'toolKinds[0].names[0]: expected a glob that takes linear time on every name, got "*a*a*a*a*b"; left out',
  ],
  [
    { summaries: [{ tool: "*a*a*a*a*b", keep: { last: 1 } }] },
    { summaries: [] },
    'summaries[0].tool: expected a glob that takes linear time on every name, got "*a*a*a*a*b"; left out',
  ],
  [
    { schedule: { prices: { "*a*a*a*a*b": { read: 1 }, "claude-*": { read: 0.5 } } } },
    { schedule: { prices: { "claude-*": { read: 0.5 } } } },
    "schedule.prices.*a*a*a*a*b: expected a glob that takes linear time on every name, got an object; ignored",
  ],
  [
    { summaries: [{ tool: "a", keep: { first: "x" } }] },
    { summaries: [] },
    'summaries[0].keep.first: expected a whole number ≥ 0, got "x"; left out',
  ],
  [
    { summaries: [{ tool: "a", keep: {} }] },
    { summaries: [] },
    "summaries[0].keep: expected first, last or both, got an object; left out",
  ],
  [
    { summaries: [{ tool: "a", keep: { lines: "x", template: "y" } }] },
    { summaries: [] },
    "summaries[0].keep: expected { first, last }, { lines } or { template }, got an object; left out",
  ],
  [
    { summaries: [{ keep: { first: 1 } }] },
    { summaries: [] },
    "summaries[0].tool: expected a string, got nothing; left out",
  ],
  [
    { toolKinds: [{ names: [], kind: "read" }] },
    { toolKinds: [] },
    "toolKinds[0].names: expected a list of strings, got an empty list; left out",
  ],
  [
    { textProtocols: [{ call: { begin: "" }, result: { begin: "b" } }, RULE] },
    { textProtocols: [RULE] },
    'textProtocols[0].call.begin: expected a string, got ""; left out',
  ],
  [
    { textProtocols: [{ call: { begin: "a" } }] },
    { textProtocols: [] },
    "textProtocols[0].result: expected { begin, end }, got nothing; left out",
  ],
  [
    { schedule: { prices: { "claude-*": { read: "x", write: 2 } } } },
    { schedule: { prices: { "claude-*": { write: 2 } } } },
    'schedule.prices.claude-*.read: expected a number ≥ 0, got "x"; ignored',
  ],
  [
    { schedule: { prices: { raed: 1 } } },
    { schedule: { prices: {} } },
    /^schedule\.prices\.raed: expected \{ .*did you mean schedule\.prices\.read\?$/,
  ],
])("%j: the bad value is left out, the rest stays", (value, config, message) => {
  const parsed = parseConfig(value);
  expect(parsed.config).toEqual(config);
  expect(parsed.issues).toEqual([
    { code: "config-invalid-value", severity: "error", message: expect.stringMatching(asPattern(message)) },
  ]);
});

test.each<[unknown, PartialConfig, string]>([
  [{ enable: true, debug: true }, { debug: true }, "enable: unknown key, ignored; did you mean enabled?"],
  [
    { strategies: { pruneProtct: 1, pruneMinimum: 2 } },
    { strategies: { pruneMinimum: 2 } },
    "strategies.pruneProtct: unknown key, ignored; did you mean strategies.pruneProtect?",
  ],
  [{ pruneProtect: 1 }, {}, "pruneProtect: unknown key, ignored; did you mean strategies.pruneProtect?"],
  [
    { stuckTaskTurn: 1 },
    {},
    "stuckTaskTurn: unknown key, ignored; did you mean tools.todoReminder.stuckTaskTurns?",
  ],
  [{ protectedTools: [] }, {}, "protectedTools: unknown key, ignored"],
  [{ quux: 1 }, {}, "quux: unknown key, ignored"],
  [JSON.parse('{ "__proto__": { "enabled": false } }'), {}, "__proto__: unknown key, ignored"],
  [
    { summaries: [{ tool: "a", keep: { first: 1 }, tools: 1 }] },
    { summaries: [{ tool: "a", keep: { first: 1 } }] },
    "summaries[0].tools: unknown key, ignored; did you mean summaries[0].tool?",
  ],
])("%j: an unknown key is a warning", (value, config, message) => {
  const parsed = parseConfig(value);
  expect(parsed.config).toEqual(config);
  expect(parsed.issues).toEqual([{ code: "config-unknown-key", severity: "warning", message }]);
});

test("an issue names its place: the line of the key, of the object around a missing one, or just the file", () => {
  const lines = new Map([
    ["debug", 3],
    ["summaries,0", 7],
  ]);
  const value = { debug: 1, summaries: [{ keep: { first: 1 } }], shadow: 1 };
  const { issues } = parseConfig(value, "a.jsonc", (path) => lines.get(path.join()));
  expect(issues.map(({ where }) => where)).toEqual(["a.jsonc:3", "a.jsonc:7", "a.jsonc"]);
  expect(parseConfig({ debug: 1 }).issues[0]).not.toHaveProperty("where");
});

test("accepts anything, and its result is valid", () => {
  const keys = listSettings().flatMap(({ path }) => path);
  const value = fc.anything({
    key: fc.oneof(fc.constantFrom(...keys), fc.string()),
    withBigInt: true,
    maxDepth: 5,
  });
  fc.assert(
    fc.property(value, (input) => {
      const { config } = parseConfig(input);
      expect(parseConfig(config)).toEqual({ config, issues: [] });
    }),
    { numRuns: 500 },
  );
});

const leaves = listSettings().filter(
  ({ path, group }) => !group && valueAt(DEFAULT_CONFIG, path) !== undefined,
);

test("any set of bad values costs exactly those keys", () => {
  fc.assert(
    fc.property(fc.subarray(leaves), (spoiled) => {
      const value = structuredClone<unknown>(DEFAULT_CONFIG);
      for (const { path } of spoiled) put(value, path, Number.NaN);
      const { config, issues } = parseConfig(value);
      expect(issues.map(({ message }) => message.split(":")[0]).sort()).toEqual(
        spoiled.map(({ path }) => path.join(".")).sort(),
      );
      for (const { path } of leaves) {
        const isSpoiled = spoiled.some((other) => other.path === path);
        expect(valueAt(config, path)).toEqual(isSpoiled ? undefined : valueAt(DEFAULT_CONFIG, path));
      }
    }),
  );
});

function put(root: unknown, path: readonly string[], value: unknown): void {
  const parent = valueAt(root, path.slice(0, -1));
  if (typeof parent === "object" && parent !== null) Object.assign(parent, { [path.at(-1) ?? ""]: value });
}

function asPattern(message: string | RegExp): RegExp {
  return typeof message === "string"
    ? new RegExp(`^${message.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`)
    : message;
}
