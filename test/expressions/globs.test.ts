import { describe, expect, test } from "vitest";
import { DEFAULT_CONFIG } from "../../src/config/defaults.ts";
import { compileGlobs, isQuickGlob } from "../../src/expressions/globs.ts";

describe("isQuickGlob", () => {
  const { protectedFilePatterns, tools } = DEFAULT_CONFIG;
  test.each([
    ...protectedFilePatterns,
    ...tools.settings.protectedTools,
    "",
    "read",
    "mcp__*",
    "*.{ts,tsx}",
    "*secret*",
    "*foo*bar*",
    "**/*.test.*",
    "src/**/generated/**/*.ts",
    "**/node_modules/**",
    "!(a|b)*",
    "+(a|b)*.ts",
  ])("%s is quick", (glob) => expect(isQuickGlob(glob, { dot: true })).toBe(true));

  test.each(["*a*a*a*a*b", "*?*?*?*?*x", "a/**/b/**/c/**/d/**/e", `${"*a".repeat(40_000)}`])(
    "%.30s is not",
    (glob) => expect(isQuickGlob(glob, { dot: true })).toBe(false),
  );
});

describe("compileGlobs", () => {
  test.each<[readonly string[], string, boolean]>([
    [[], "read", false],
    [["read", "mcp__*"], "mcp__files__read", true],
    [["read", "mcp__*"], "write", false],
    [["*.lock"], `${"a/".repeat(5_000)}x.lock`, true],
    [["*.lock"], `${"x.lock/".repeat(5_000)}a.ts`, false],
  ])("%j about %.30s: %s", (globs, name, expected) => {
    expect(compileGlobs(globs, { basename: true, dot: true })(name)).toBe(expected);
  });

  test("the same globs with other options are different, and so are two globs next to one that reads like both", () => {
    expect(compileGlobs(["*.Env"])("a.env")).toBe(false);
    expect(compileGlobs(["*.Env"], { nocase: true })("a.env")).toBe(true);
    expect(compileGlobs(["*.Env"])("a.env")).toBe(false);
    expect(compileGlobs(["a", "b"])("b")).toBe(true);
    expect(compileGlobs(["a,b"])("b")).toBe(false);
  });

  test("a slow glob is left out, and the others are used", () => {
    const matches = compileGlobs(["*a*a*a*a*a*a*a*a*b", "c*"]);
    expect(matches("a".repeat(2_000))).toBe(false);
    expect(matches("cd")).toBe(true);
  });
});
