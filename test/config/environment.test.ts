import fc from "fast-check";
import { expect, test } from "vitest";
import type { PartialConfig } from "../../src/config/config.ts";
import { configFromEnvironment, environmentName } from "../../src/config/environment.ts";
import { parseConfig } from "../../src/config/parse.ts";
import { listSettings } from "../../src/config/settings.ts";

test.each([
  [["enabled"], "COPPICE_ENABLED"],
  [["strategies", "pruneProtect"], "COPPICE_STRATEGIES_PRUNE_PROTECT"],
  [["tools", "settings", "protectedTools"], "COPPICE_TOOLS_SETTINGS_PROTECTED_TOOLS"],
  [["schedule", "prices", "dollarsPerMillion"], "COPPICE_SCHEDULE_PRICES_DOLLARS_PER_MILLION"],
])("%j is %s", (path, name) => {
  expect(environmentName(path)).toBe(name);
});

test("no two keys share a name", () => {
  const names = listSettings().map(({ path }) => environmentName(path));
  expect(new Set(names).size).toBe(names.length);
});

test.each<[Record<string, string | undefined>, PartialConfig]>([
  [{}, {}],
  [{ PATH: "/bin", PATCHPAL_OTHER: "1", coppice_debug: "1" }, {}],
  [{ COPPICE_DEBUG: "", COPPICE_SHADOW: "  ", COPPICE_ENABLED: undefined }, {}],
  ...["true", "1", "yes", "on", "TRUE", "On", " yes "].map(
    (word): [Record<string, string>, PartialConfig] => [{ COPPICE_DEBUG: word }, { debug: true }],
  ),
  ...["false", "0", "no", "off", "No"].map((word): [Record<string, string>, PartialConfig] => [
    { COPPICE_DEBUG: word },
    { debug: false },
  ]),
  [{ COPPICE_PRUNE_NOTIFICATION: "off" }, { pruneNotification: "off" }],
  [{ COPPICE_STRATEGIES_COMPACT_THRESHOLD: "0.5" }, { strategies: { compactThreshold: 0.5 } }],
  [
    { COPPICE_STRATEGIES_AGGRESSIVE_PRUNING_AGGRESSIVE_FILE_PRUNE: "views" },
    { strategies: { aggressivePruning: { aggressiveFilePrune: "views" } } },
  ],
  [
    { COPPICE_STRATEGIES_AGGRESSIVE_PRUNING_AGGRESSIVE_FILE_PRUNE: "off" },
    { strategies: { aggressivePruning: { aggressiveFilePrune: false } } },
  ],
  [{ COPPICE_STATISTICS_STORE: "off" }, { statistics: { store: false } }],
  [{ COPPICE_STATISTICS_STORE: "/tmp/sums.db" }, { statistics: { store: "/tmp/sums.db" } }],
  [{ COPPICE_WINDOW: "1000" }, { window: 1000 }],
  [{ COPPICE_WINDOW: "null" }, { window: null }],
  [{ COPPICE_SCHEDULE_MODEL: "claude-x" }, { schedule: { model: "claude-x" } }],
  [{ COPPICE_UNPROTECT: "task, *.pem,," }, { unprotect: ["task", "*.pem"] }],
  [{ COPPICE_UNPROTECT: '["a,b"]' }, { unprotect: ["a,b"] }],
  [
    { COPPICE_SUMMARIES: '[{"tool":"a","keep":{"first":1}}]' },
    { summaries: [{ tool: "a", keep: { first: 1 } }] },
  ],
  [
    {
      COPPICE_SCHEDULE_PRICES_READ: "0.1",
      COPPICE_SCHEDULE_PRICES: '{"*":{"read":1,"write":2},"a*":{"read":3}}',
    },
    { schedule: { prices: { "*": { read: 0.1, write: 2 }, "a*": { read: 3 } } } },
  ],
  [
    { COPPICE_STRATEGIES_TRIM_MAX_AGE: "2", COPPICE_STRATEGIES_TRIM: '{"maxAge":1,"strategy":"age-based"}' },
    { strategies: { trim: { maxAge: 2, strategy: "age-based" } } },
  ],
  ...["COPPICE", "PATCHPAL"].map((prefix): [Record<string, string>, PartialConfig] => [
    {
      [`${prefix}_INTELLIGENT_PRUNING`]: "false",
      [`${prefix}_PRUNE_PROTECT`]: "1",
      [`${prefix}_PRUNE_MINIMUM`]: "2",
      [`${prefix}_COMPACT_THRESHOLD`]: "0.3",
    },
    { strategies: { intelligentPruning: false, pruneProtect: 1, pruneMinimum: 2, compactThreshold: 0.3 } },
  ]),
  [{ COPPICE_PRUNE_PROTECT: "2", PATCHPAL_PRUNE_PROTECT: "1" }, { strategies: { pruneProtect: 2 } }],
  [
    { COPPICE_STRATEGIES_PRUNE_PROTECT: "3", COPPICE_PRUNE_PROTECT: "2", PATCHPAL_PRUNE_PROTECT: "1" },
    { strategies: { pruneProtect: 3 } },
  ],
])("%j", (env, config) => {
  expect(configFromEnvironment(env)).toEqual({ config, issues: [] });
});

test.each([
  ["COPPICE_DEBUG", "maybe", 'debug: expected true or false, got "maybe"; using false (default)'],
  [
    "COPPICE_PRUNE_PROTECT",
    "40k",
    'strategies.pruneProtect: expected a whole number ≥ 0, got "40k"; using 40000 (default)',
  ],
  [
    "PATCHPAL_PRUNE_MINIMUM",
    "-1",
    "strategies.pruneMinimum: expected a whole number ≥ 0, got -1; using 20000 (default)",
  ],
  ["COPPICE_UNPROTECT", '["a"', 'unprotect: expected a list of strings, got "[\\"a\\""; using [] (default)'],
  [
    "COPPICE_TOOL_KINDS",
    "a,b",
    'toolKinds: expected a list of { names, kind, path, command, url, query, snapshot, identifying }, got "a,b"; using [] (default)',
  ],
  ["COPPICE_COMMANDS", "on", 'commands: expected { enabled, protectedTools }, got "on"; ignored'],
])("%s=%s is an issue that names the variable", (where, text, message) => {
  expect(configFromEnvironment({ [where]: text, COPPICE_SHADOW: "1" })).toMatchObject({
    config: { shadow: true },
    issues: [{ code: "config-invalid-value", where, message }],
  });
});

test("for a bad value, the weaker variable's is used", () => {
  const { config, issues } = configFromEnvironment({
    COPPICE_PRUNE_PROTECT: "x",
    PATCHPAL_PRUNE_PROTECT: "7",
  });
  expect(config).toEqual({ strategies: { pruneProtect: 7 } });
  expect(issues[0]?.message).toMatch(/using 7 \(PATCHPAL_PRUNE_PROTECT\)$/);
});

test.each([
  ["COPPICE_STRATEGIES_PRUNE_PROTCT", "; did you mean COPPICE_STRATEGIES_PRUNE_PROTECT?"],
  ["COPPICE_DBUG", "; did you mean COPPICE_DEBUG?"],
  ["COPPICE_SOMETHING_ELSE_ENTIRELY", ""],
])("%s is unknown", (name, hint) => {
  expect(configFromEnvironment({ [name]: "1" })).toEqual({
    config: {},
    issues: [
      {
        code: "config-unknown-key",
        severity: "warning",
        where: name,
        message: `${name}: unknown key, ignored${hint}`,
      },
    ],
  });
});

test("the proxy's token is ours, and no setting", () => {
  expect(configFromEnvironment({ COPPICE_TOKEN: "s3cret", COPPICE_STORE: "memory" })).toEqual({
    config: {},
    issues: [],
  });
});

const values = [true, 1, 0.5, "off", "compact", "age-based", "eager", "bound", "a text", ["x", "y"], [], {}];

test.each(listSettings().map((setting) => ({ key: setting.path.join("."), ...setting })))(
  "$key can be set by its variable, as in a file",
  ({ path }) => {
    const accepted = values.filter((value) => {
      const inFile = parseConfig(path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value));
      if (inFile.issues.length > 0) return false;
      const text = typeof value === "string" ? value : JSON.stringify(value);
      expect(configFromEnvironment({ [environmentName(path)]: text })).toEqual(inFile);
      return true;
    });
    expect(accepted).not.toEqual([]);
  },
);

test("accepts any environment", () => {
  const names = fc.constantFrom(...listSettings().map(({ path }) => environmentName(path)));
  fc.assert(
    fc.property(fc.dictionary(fc.oneof(names, fc.string()), fc.oneof(fc.string(), fc.json())), (env) => {
      const { config } = configFromEnvironment(env);
      expect(parseConfig(config)).toEqual({ config, issues: [] });
    }),
  );
});
