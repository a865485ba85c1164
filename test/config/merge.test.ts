import fc from "fast-check";
import { expect, test } from "vitest";
import type { PartialConfig } from "../../src/config/config.ts";
import { DEFAULT_CONFIG } from "../../src/config/defaults.ts";
import { mergeLevels } from "../../src/config/merge.ts";
import { valueAt } from "../../src/config/problem.ts";
import { PROTECTED_FILES, PROTECTED_TOOLS } from "../../src/protection/defaults.ts";

const merge = (...configs: PartialConfig[]) =>
  mergeLevels(configs.map((config, index) => ({ name: `level ${index + 1}`, config })));

test("without levels: the defaults, and every value has an origin", () => {
  const { config, origins } = merge();
  expect(config).toEqual(DEFAULT_CONFIG);
  expect(new Set(Object.values(origins))).toEqual(new Set(["default"]));
  expect(Object.keys(origins).sort()).toEqual(leavesOf(config).sort());
});

test("key by key, later over earlier", () => {
  const { config, origins } = merge(
    { debug: true, strategies: { pruneProtect: 1, trim: { maxAge: 9 } } },
    { strategies: { pruneProtect: 2, aggressivePruning: { pruneFiles: false } } },
    { strategies: { aggressivePruning: { preset: "compact" } }, debug: undefined },
  );
  expect(config).toEqual({
    ...DEFAULT_CONFIG,
    debug: true,
    strategies: {
      ...DEFAULT_CONFIG.strategies,
      pruneProtect: 2,
      trim: { ...DEFAULT_CONFIG.strategies.trim, maxAge: 9 },
      aggressivePruning: { preset: "compact", pruneFiles: false },
    },
  });
  expect(origins).toMatchObject({
    debug: "level 1",
    "strategies.trim.maxAge": "level 1",
    "strategies.trim.strategy": "default",
    "strategies.pruneProtect": "level 2",
    "strategies.aggressivePruning.pruneFiles": "level 2",
    "strategies.aggressivePruning.preset": "level 3",
  });
});

test("prices merge by model and by price", () => {
  const { config, origins } = merge(
    { schedule: { prices: { "*": { read: 0.1 }, "gpt-5.1": { read: 0.2, write: 1 } } } },
    { schedule: { prices: { "gpt-5.1": { read: 0.3 } } } },
  );
  expect(config.schedule.prices).toEqual({ "*": { read: 0.1 }, "gpt-5.1": { read: 0.3, write: 1 } });
  expect(origins).toMatchObject({
    "schedule.prices.*.read": "level 1",
    "schedule.prices.gpt-5.1.read": "level 2",
    "schedule.prices.gpt-5.1.write": "level 1",
  });
  expect(origins).not.toHaveProperty(["schedule.prices"]);
});

test("other lists are replaced", () => {
  const rule = (tool: string) => ({ tool, keep: { first: 1 } });
  expect(merge({ summaries: [rule("a")] }, { summaries: [rule("b")] }).config.summaries).toEqual([rule("b")]);
});

test("protected lists grow from level to level", () => {
  const { config, origins } = merge(
    { protectedFilePatterns: ["*.lock", ".env"], tools: { settings: { protectedTools: ["deploy"] } } },
    { protectedFilePatterns: ["*.sql"], strategies: { shake: { protectedTools: ["notes_*"] } } },
    { protectedFilePatterns: [], commands: { protectedTools: ["bash"] } },
  );
  expect(config.protectedFilePatterns).toEqual([...PROTECTED_FILES, "*.lock", "*.sql"]);
  expect(config.tools.settings.protectedTools).toEqual([...PROTECTED_TOOLS, "deploy"]);
  expect(config.strategies.shake.protectedTools).toEqual(["skill", "notes_*"]);
  expect(config.commands.protectedTools).toEqual(["bash"]);
  expect(origins["tools.settings.protectedTools"]).toBe("level 1");
});

test("unprotect removes names from every protected list", () => {
  const { config, origins } = merge(
    { unprotect: ["skill", "package.json", "no such"] },
    { unprotect: ["task"] },
  );
  expect(config.tools.settings.protectedTools).toEqual(
    PROTECTED_TOOLS.filter((name) => name !== "skill" && name !== "task"),
  );
  expect(config.strategies.shake.protectedTools).toEqual([]);
  expect(config.protectedFilePatterns).toEqual(PROTECTED_FILES.filter((name) => name !== "package.json"));
  expect(config.unprotect).toEqual(["skill", "package.json", "no such", "task"]);
  expect(origins).toMatchObject({
    "strategies.shake.protectedTools": "level 1",
    "tools.settings.protectedTools": "level 2",
    "commands.protectedTools": "default",
  });
});

test("entries that the same or a later level protects stay protected", () => {
  const protect = (name: string): PartialConfig => ({ tools: { settings: { protectedTools: [name] } } });
  const isProtected = (...levels: PartialConfig[]) =>
    merge(...levels).config.tools.settings.protectedTools.includes("task");
  expect(isProtected({ unprotect: ["task"] })).toBe(false);
  expect(isProtected({ unprotect: ["task"], ...protect("task") })).toBe(true);
  expect(isProtected({ unprotect: ["task"] }, protect("task"))).toBe(true);
  expect(isProtected(protect("task"), { unprotect: ["task"] })).toBe(false);
});

const name = fc.constantFrom("task", "skill", "write", "a", "b", ".env");
const level: fc.Arbitrary<PartialConfig> = fc.record(
  {
    debug: fc.boolean(),
    unprotect: fc.array(name),
    protectedFilePatterns: fc.array(name),
    tools: fc.record({ settings: fc.record({ protectedTools: fc.array(name) }, { requiredKeys: [] }) }),
    strategies: fc.record(
      { pruneProtect: fc.nat(), trim: fc.record({ maxAge: fc.nat() }) },
      { requiredKeys: [] },
    ),
    schedule: fc.record({
      prices: fc.dictionary(fc.string(), fc.record({ read: fc.nat() }, { requiredKeys: [] })),
    }),
  },
  { requiredKeys: [] },
);

test("a merged configuration, laid over its own levels, changes nothing; no level is changed", () => {
  fc.assert(
    fc.property(fc.array(level, { maxLength: 4 }), (levels) => {
      const before = structuredClone(levels);
      const { config, origins } = merge(...levels);
      expect(levels).toEqual(before);
      expect(withSortedLists(merge(...levels, config).config)).toEqual(withSortedLists(config));
      expect(Object.keys(origins).sort()).toEqual(leavesOf(config).sort());
      // Nor do the defaults, which all share.
      expect(merge().config).toEqual(DEFAULT_CONFIG);
      expect(new Set(Object.values(merge().origins))).toEqual(new Set(["default"]));
    }),
  );
});

/** Dotted keys of everything that is not itself a group with something in it. */
function leavesOf(value: unknown, path: readonly string[] = []): string[] {
  const isGroup = typeof value === "object" && value !== null && !Array.isArray(value);
  const keys = isGroup ? Object.keys(value) : [];
  if (keys.length === 0) return [path.join(".")];
  return keys.flatMap((key) => leavesOf(valueAt(value, [key]), [...path, key]));
}

/** A name that was removed and protected again moves to the end of its list. */
function withSortedLists(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_, item) => (Array.isArray(item) ? item.sort() : item));
}
