import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { generateFiles } from "../../scripts/generate-schema.ts";
import { DEFAULT_CONFIG } from "../../src/config/defaults.ts";
import { configFromEnvironment } from "../../src/config/environment.ts";
import { readJsonc } from "../../src/config/jsonc.ts";
import { parseConfig } from "../../src/config/parse.ts";
import { valueAt } from "../../src/config/problem.ts";
import { listSettings } from "../../src/config/settings.ts";

const read = (path: string): string => readFileSync(resolve(path), "utf8");
const files = generateFiles(read);

if (process.env.UPDATE === "1") for (const [path, text] of files) writeFileSync(resolve(path), text);

test.each([...files])("%s is what the schema generates (else run this test with UPDATE=1)", (path, text) => {
  expect(read(path)).toBe(text);
});

const jsonSchema = JSON.parse(files.get("schema/coppice.schema.json") ?? "");

test("the JSON schema accepts everything that Coppice accepts", () => {
  const schema = z.fromJSONSchema(jsonSchema);
  const accepts = (value: unknown) => schema.safeParse(value).success;
  expect(jsonSchema.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
  expect(accepts({})).toBe(true);
  expect(accepts({ $schema: "x", ...DEFAULT_CONFIG })).toBe(true);
  expect(accepts({ schedule: { prices: { read: 0.1, "gpt-*": { write: 1 } } } })).toBe(true);
  expect(accepts({ enable: true })).toBe(false);
  expect(accepts({ strategies: { pruneProtct: 1 } })).toBe(false);
  expect(accepts({ strategies: { pruneProtect: "x" } })).toBe(false);
});

test("the JSON schema describes every key, and gives the default of every value", () => {
  for (const { path, description } of listSettings()) {
    const node = valueAt(
      jsonSchema,
      path.flatMap((key) => ["properties", key]),
    );
    expect(node).toMatchObject({ description });
  }
  expect(jsonSchema.properties.strategies.properties.pruneProtect.default).toBe(40000);
  expect(jsonSchema.properties.tools.properties.settings.properties.protectedTools.default).toEqual([]);
});

const docs = files.get("docs/configuration.md") ?? "";
const blocks = (language: string) =>
  [...docs.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "gs"))].map((match) => match[1] ?? "");

test.each(blocks("jsonc"))("the docs' example is valid: %s", (text) => {
  const { value, mistake } = readJsonc(text);
  expect(mistake).toBeUndefined();
  expect(parseConfig(value).issues).toEqual([]);
});

test("the docs' variables are valid", () => {
  const lines = blocks("sh")
    .join("")
    .matchAll(/^(\w+)=(?:'(.*)'|(\S+))/gm);
  const env = Object.fromEntries([...lines].map(([, name, quoted, plain]) => [name, quoted ?? plain]));
  expect(Object.keys(env)).toHaveLength(4);
  const { config, issues } = configFromEnvironment(env);
  expect(issues).toEqual([]);
  expect(Object.keys(config).sort()).toEqual(["schedule", "strategies", "tools"]);
});

test("the docs have a row for every key", () => {
  for (const { path } of listSettings())
    expect(docs).toMatch(new RegExp(`^\\| \\**\`${path.join("\\.")}\``, "m"));
});
