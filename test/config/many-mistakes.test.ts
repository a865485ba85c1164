import { expect, test } from "vitest";
import { readJsonc } from "../../src/config/jsonc.ts";
import { mergeLevels } from "../../src/config/merge.ts";
import { parseConfig } from "../../src/config/parse.ts";
import { expectInProportion } from "../growth.ts";

const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i));

test.each<[string, number, (count: number) => unknown]>([
  ["entries of a list", 5_000, (count) => ({ unprotect: times(count, (i) => i) })],
  [
    "prices",
    4_000,
    (count) => ({ schedule: { prices: Object.fromEntries(times(count, (i) => [`m${i}`, { read: "x" }])) } }),
  ],
])("%s with mistakes are reported in time that is in proportion", (_, size, make) => {
  expectInProportion(size, (count) => {
    const { value, locate } = readJsonc(JSON.stringify(make(count), null, 1));
    expect(parseConfig(value, "a.jsonc", locate).issues).toHaveLength(count);
  });
});

test("removals from long lists take linear time", () => {
  expectInProportion(4_000, (count) => {
    const names = times(count, (i) => `tool${i}`);
    const { config } = mergeLevels([
      { name: "a", config: { tools: { settings: { protectedTools: names } } } },
      { name: "b", config: { unprotect: names } },
    ]);
    expect(config.tools.settings.protectedTools).not.toContain("tool1");
  });
});

test.each<[string, readonly (string | number)[], number]>([
  ['{\n"a": 1,\r\n"b": 2,\r"c": 3\n}', ["c"], 4],
  ['{"a": [\n1,\n2]}', ["a", 1], 3],
  ['{\n"a": 1,\n"a": 2}', ["a"], 3],
  ['\uFEFF{\n"a": {"b":\n1}}', ["a", "b"], 2],
])("%j: %j is on line %i", (text, path, line) => {
  expect(readJsonc(text).locate(path)).toBe(line);
});
