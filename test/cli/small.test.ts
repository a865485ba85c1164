import { describe, expect, test } from "vitest";
import { formatDollars } from "../../src/basics/numbers.ts";
import { parseCount, parsePort, parseTokens } from "../../src/cli/parse-count.ts";
import { makePolicyNamed } from "../../src/cli/policies.ts";
import { spellOut } from "../../src/cli/spell-out.ts";
import { DEFAULT_CONFIG } from "../../src/config/defaults.ts";

describe("parseCount", () => {
  test.each([
    ["20000", 20_000],
    ["20k", 20_000],
    ["1.5M", 1_500_000],
    ["20,000", 20_000],
  ])("%s", (text, count) => {
    expect(parseCount(text)).toBe(count);
  });

  test.each(["0", "-1", "k", "1e9", "many", ""])("%j is not a count", (text) => {
    expect(() => parseCount(text)).toThrow("a whole number above zero, such as 20.");
    expect(() => parseTokens(text)).toThrow("50k");
  });
});

describe("parsePort", () => {
  test.each(["1", "8787", "65535"])("%s", (text) => {
    expect(parsePort(text)).toBe(Number(text));
  });

  test.each(["0", "65536", "99999", "8k", "-1", "http", ""])("%j is not a port", (text) => {
    expect(() => parsePort(text)).toThrow("a port from 1 to 65535");
  });
});

describe("makePolicyNamed", () => {
  test.each([
    ["none", "no pruning"],
    ["coppice", "coppice"],
    ["compact", "coppice, compact"],
    ["eager", "coppice, eager"],
    ["keep-last-7", "keep last 7 results"],
    ["clear-at-80k", "all but 3 at 80k"],
    ["clear-at-80000", "all but 3 at 80k"],
    ["clear-tool-uses", "clear_tool_uses (100k, 3)"],
  ])("%s", (name, policy) => {
    expect(makePolicyNamed(name, DEFAULT_CONFIG).name).toBe(policy);
  });

  test("any other name is refused", () => {
    expect(() => makePolicyNamed("keep-last-", DEFAULT_CONFIG)).toThrow("keep-last-N");
  });
});

test("spellOut never makes the next word the value of --shake", () => {
  expect(spellOut(["--shake", "a.json"])).toEqual(["--shake=usual", "a.json"]);
  expect(spellOut(["--shake", "aggressive", "a.json"])).toEqual(["--shake", "aggressive", "a.json"]);
  expect(spellOut(["--shake"])).toEqual(["--shake=usual"]);
});

test.each([
  [0, "$0.00"],
  [0.004, "$0.004"],
  [1.005, "$1.00"],
  [1234.5, "$1,234.50"],
  [1234567, "$1,234,567.00"],
])("formatDollars(%s) is %s", (dollars, text) => {
  expect(formatDollars(dollars)).toBe(text);
});
