import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

/** A copy of the sources, so that a pass can be added. */
const folder = mkdtempSync(join(tmpdir(), "coppice-new-pass-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PASS = `import type { BuiltIn } from "./built-in.ts";
import { onIn } from "./pass-setting.ts";

export const shouts: BuiltIn<{ readonly least: number }> = {
  name: "shouts",
  flag: { key: "pruneShouts", description: "Shouting goes.", values: ["loud"], presets: onIn("balanced") },
  settings: [{ key: "strategies.spent.shouts", description: "The shortest shout.", default: 40 }],
  facts: ["queries"],
  optionsFor: ({ strategies }) => ({ least: Reflect.get(strategies.spent, "shouts") }),
  propose: (step, facts, { least }) =>
    step.completed.flatMap(({ result }) => {
      const [leaf] = facts.transcript.part(result).leaves;
      if (!leaf || leaf.text.length < least || leaf.text !== leaf.text.toUpperCase()) return [];
      const span = { leaf: leaf.id, from: 0, to: leaf.text.length, render: () => "[shout]" };
      return [{ part: result, spans: [span], reason: "a shout" }];
    }),
};
`;

/** The new pass as the copy knows it. */
const CHECK = `import { readFileSync, writeFileSync } from "node:fs";
import { generateFiles } from "./scripts/generate-schema.ts";
import { parseConfig } from "./src/config/parse.ts";
import { DEFAULT_CONFIG } from "./src/config/defaults.ts";
import { PRESETS } from "./src/config/presets.ts";
import { createPruner } from "./src/pruner.ts";

for (const [path, text] of generateFiles((path) => readFileSync(path, "utf8"))) writeFileSync(path, text);
const cutsWith = (aggressivePruning: object) => {
  const pruner = createPruner({ config: { schedule: { mode: "eager" }, strategies: { aggressivePruning } } });
  const shout = { role: "tool", tool_call_id: "a", content: "VERY LOUD TEXT ".repeat(60) };
  const call = { id: "a", type: "function", function: { name: "yell", arguments: "{}" } };
  const { report } = pruner.prune([
    { role: "user", content: "go" },
    { role: "assistant", content: null, tool_calls: [call] },
    shout,
  ]);
  return report.edits.map(({ edit }) => edit.author);
};
console.log(JSON.stringify({
  presets: Object.values(PRESETS).map((flags) => Reflect.get(flags, "pruneShouts")),
  default: Reflect.get(DEFAULT_CONFIG.strategies.spent, "shouts"),
  wrong: parseConfig({ strategies: { aggressivePruning: { pruneShouts: "quiet" } } }).issues.length,
  right: parseConfig({ strategies: { aggressivePruning: { pruneShouts: "loud" }, spent: { shouts: 9 } } }).issues,
  on: cutsWith({}),
  off: cutsWith({ pruneShouts: false }),
}));
`;

const listFiles = (from: string) =>
  readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(from.length + 1))
    .sort();

const read = (path: string) => readFileSync(join(folder, path), "utf8");

let known: Record<string, unknown> = {};
let added: readonly string[] = [];

beforeAll(() => {
  for (const path of ["src", "scripts", "schema", "docs", "tsconfig.json", "package.json"])
    cpSync(resolve(path), join(folder, path), { recursive: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "src/strategies/shouts.ts"), PASS);
  const list = join(folder, "src/strategies/passes.ts");
  const text = readFileSync(list, "utf8");
  added = ['import { shouts } from "./shouts.ts";', "  shouts,"];
  writeFileSync(list, `${added[0]}\n${text.replace("\n  snapshots,\n", `\n  snapshots,\n${added[1]}\n`)}`);
  writeFileSync(join(folder, "check.ts"), CHECK);
  const runner = join(folder, "scripts/run-ts.mjs");
  known = JSON.parse(execFileSync("node", [runner, "check.ts"], { cwd: folder, encoding: "utf8" }));
}, 60_000);

test("a new pass with a switch and a number is one file and one entry in the list", () => {
  const files = listFiles(join(folder, "src"));
  const before = listFiles(resolve("src"));
  expect(files.filter((file) => !before.includes(file))).toEqual(["strategies/shouts.ts"]);
  const changed = before.filter((file) => read(`src/${file}`) !== readFileSync(resolve("src", file), "utf8"));
  // The second one is generated.
  expect(changed).toEqual(["config/pass-options.ts", "strategies/passes.ts"]);
  const lines = readFileSync(resolve("src/strategies/passes.ts"), "utf8").split("\n");
  const more = read("src/strategies/passes.ts").split("\n");
  expect(more.length - lines.length).toBe(added.length);
});

test("its switch is in the presets, and turns it on and off", () => {
  expect(known).toEqual({
    presets: [false, true, false],
    default: 40,
    wrong: 1,
    right: [],
    on: ["shouts"],
    off: [],
  });
});

test("its settings are in the schema, the docs and the types", () => {
  const schema = JSON.parse(read("schema/coppice.schema.json")).properties.strategies.properties;
  expect(schema.aggressivePruning.properties.pruneShouts.description).toBe("Shouting goes.");
  expect(schema.spent.properties.shouts).toMatchObject({ description: "The shortest shout.", default: 40 });
  expect(read("docs/configuration.md")).toContain("| `strategies.aggressivePruning.pruneShouts` |");
  expect(read("docs/configuration.md")).toContain("| `pruneShouts` | false | true | false |");
  expect(read("docs/configuration.md")).toMatch(/\| `strategies\.spent\.shouts` \| .* \| `40` \|/);
  expect(read("src/config/pass-options.ts")).toContain('readonly pruneShouts: boolean | "loud";');
  expect(read("src/config/pass-options.ts")).toContain("readonly shouts: number;");
});
