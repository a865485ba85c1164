import { readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";

interface Entry {
  readonly name: string;
  readonly values: readonly string[];
  readonly types: readonly string[];
}

const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
};
const entries = Object.entries(exports).flatMap(([name, entry]) =>
  typeof entry === "string" ? [] : [readEntry(`coppice${name.slice(1)}`, entry.types)],
);

function readEntry(name: string, types: string): Entry {
  const file = types.replace("./dist/", "src/").replace(".d.ts", ".ts");
  const exported = parseSync(file, readFileSync(file, "utf8"))
    .module.staticExports.flatMap((each) => each.entries)
    .map(({ exportName, isType }) => ({ name: exportName.name ?? "default", isType }))
    .filter((each) => each.name !== "default");
  const list = (isType: boolean) =>
    exported.filter((each) => each.isType === isType).map((each) => each.name);
  return { name, values: list(false), types: list(true) };
}

const find = (name: string): Omit<Entry, "name"> =>
  entries.find((entry) => entry.name === name) ?? { values: [], types: [] };

test("coppice has what the author of an agent needs, and no more", () => {
  const { values } = find("coppice");
  expect(values).toContain("createPruner");
  expect(values.length).toBeLessThanOrEqual(20);
});

test("a value has one entry, but for the hosts' own `coppice`", () => {
  const values = entries.flatMap((entry) => entry.values).filter((name) => name !== "coppice");
  expect(values.length).toBeGreaterThan(80);
  expect(values.filter((name, i) => values.indexOf(name) !== i)).toEqual([]);
});

test.each(entries)("docs/api.md has every name of $name in code", ({ values, types }) => {
  const page = readFileSync("docs/api.md", "utf8");
  expect([...values, ...types].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

/** The names that the project began with: the functions over messages, their types, and what passes and hosts are made of. */
const FIRST: Readonly<Record<string, readonly string[]>> = {
  "coppice/messages": [
    "executeReplace",
    "executeReplaceOrThrow",
    "ReplaceResult",
    "suggestPatterns",
    "summarizeToolOutput",
    "collectShakeRegions",
    "applyShakeRegion",
    "applyShakeRegions",
    "DEFAULT_SHAKE_CONFIG",
    "AGGRESSIVE_SHAKE_CONFIG",
    "ShakeConfig",
    "ShakeRegion",
    "BlockShakeRegion",
    "ToolResultShakeRegion",
    "ProtectedToolMatcher",
    "trimConversation",
    "trimByPriority",
    "trimWithPlaceholders",
    "trimByAge",
    "trimAndSummarize",
    "classifyMessage",
    "ContentPriority",
    "ContextOverflowError",
    "FileTracker",
    "FileReference",
    "ClassificationContext",
    "ClassifiedMessage",
    "TrimOptions",
    "TrimResult",
  ],
  coppice: [
    "createPruner",
    "ContextTarget",
    "ReplaceOperation",
    "Edit",
    "Cut",
    "Report",
    "Regret",
    "Usage",
    "FormatName",
  ],
  "coppice/passes": ["CutPlan", "Facts"],
  "coppice/host": ["Format", "Reminder"],
  "coppice/stores": ["openStore"],
};

test.each(Object.entries(FIRST))("%s still has the names that the project began with", (name, names) => {
  const { values, types } = find(name);
  expect(names.filter((each) => !values.includes(each) && !types.includes(each))).toEqual([]);
});
