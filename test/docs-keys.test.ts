import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readJsonc } from "../src/config/jsonc.ts";
import { parseConfig } from "../src/config/parse.ts";
import { listSettings } from "../src/config/settings.ts";

const pages = ["README.md", "CHANGELOG.md", ...readdirSync("docs").map((file) => join("docs", file))].filter(
  (file) => file.endsWith(".md"),
);

const settings = listSettings();
const keys = settings.map(({ path }) => path.join("."));
const top = new Set(settings.map(({ path }) => path[0] ?? ""));
const groups = new Set(settings.filter(({ group }) => group).map(({ path }) => path.at(-1) ?? ""));

/** Keys of other programs that the pages compare with ours. */
const OTHERS: ReadonlySet<string> = new Set([
  // DCP's, in docs/opencode.md.
  "strategies.deduplication",
]);

/** `strategies.spent.enabled`, and also `spent.enabled`: is there such a key? Model names are below `prices`. */
function isKey(name: string): boolean {
  return (
    OTHERS.has(name) ||
    /^(?:schedule\.)?prices\./.test(name) ||
    keys.some((key) => key === name || key.endsWith(`.${name}`))
  );
}

/** Names in code that begin with one of our groups: `schedule.mode`, `shake.protectTokens: 0`. */
function findNames(text: string): readonly string[] {
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);
  return spans.flatMap((span) => {
    const [name] = /^[a-zA-Z]+(?:\.[a-zA-Z]+)+(?=$|[:= ])/.exec(span) ?? [];
    const [group = ""] = (name ?? "").split(".");
    // `statistics.json` is a file.
    return name !== undefined && !name.endsWith(".json") && (groups.has(group) || top.has(group))
      ? [name]
      : [];
  });
}

/** Settings as they would be in a file: whole blocks, and inside a line `"tools": { … }`. */
function findSettings(text: string): readonly unknown[] {
  const blocks = [...text.matchAll(/^```jsonc?\n([\s\S]*?)^```/gm)].map(([, block = ""]) => block);
  const spans = [...text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/`("\w+": [^`\n]+)`/g)];
  return [...blocks, ...spans.map(([, span]) => `{${span}}`)].flatMap((code) => {
    const { value, mistake } = readJsonc(code);
    const first = typeof value === "object" && value !== null ? Object.keys(value)[0] : undefined;
    return mistake === undefined && (first === "$schema" || top.has(first ?? "")) ? [value] : [];
  });
}

test("there are keys to check", () => {
  const texts = pages.map((page) => readFileSync(page, "utf8"));
  expect(texts.flatMap(findNames).length).toBeGreaterThan(60);
  expect(texts.flatMap(findSettings).length).toBeGreaterThan(15);
  expect(isKey("strategies.spent.enabled")).toBe(true);
  expect(isKey("strategies.spent.enable")).toBe(false);
  expect(findNames("`strategies.nothing.here`, `report.issues`")).toEqual(["strategies.nothing.here"]);
});

describe.each(pages)("%s", (page) => {
  const text = readFileSync(page, "utf8");
  test("names keys that exist", () => {
    expect(findNames(text).filter((name) => !isKey(name))).toEqual([]);
  });
  test("shows settings that Coppice accepts", () => {
    for (const value of findSettings(text))
      expect(parseConfig(value).issues, JSON.stringify(value)).toEqual([]);
  });
});
