import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildPackage } from "./build-package.ts";

const pages = ["README.md", ...readdirSync("docs").map((file) => join("docs", file))].filter((file) =>
  file.endsWith(".md"),
);
const examples = pages.flatMap((page) =>
  [...readFileSync(page, "utf8").matchAll(/^```js\n([\s\S]*?)^```/gm)].map((match, i) => ({
    name: `${page} #${i + 1}`,
    code: match[1] ?? "",
  })),
);

let folder = "";

beforeAll(() => {
  buildPackage("dist");
  // Inside the package, so that it can import itself by name.
  mkdirSync(".tmp", { recursive: true });
  folder = mkdtempSync(resolve(".tmp", "docs-"));
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("there are examples to run", () => {
  expect(examples.length).toBeGreaterThanOrEqual(2);
});

/**
 * Imports files one after the other, and says what each printed. In one process, as loading the package takes most of
 * the time; it ends by itself, or an example has left something open.
 */
const RUNNER = `
let printed = "";
console.log = (...values) => { printed += values.join(" "); };
const outputs = {};
for (const file of process.argv.slice(2)) {
  printed = "";
  try {
    await import(file);
    outputs[file] = { printed };
  } catch (error) {
    outputs[file] = { printed, failed: String(error?.stack) };
  }
}
process.stdout.write(JSON.stringify(outputs));
`;

let outputs: Readonly<Record<string, { readonly printed: string; readonly failed?: string }>> = {};

beforeAll(() => {
  const runner = join(folder, "run.mjs");
  writeFileSync(runner, RUNNER);
  const files = examples.map(({ code }, i) => {
    const file = join(folder, `example-${i}.mjs`);
    writeFileSync(file, code);
    return file;
  });
  outputs = JSON.parse(
    execFileSync(process.execPath, [runner, ...files], { encoding: "utf8", timeout: 120_000 }),
  );
}, 120_000);

test.each(examples.map(({ name }, i) => [name, i] as const))(
  "%s runs unchanged, with the built package",
  (_, i) => {
    const { printed = "", failed } = outputs[join(folder, `example-${i}.mjs`)] ?? {};
    expect(failed).toBeUndefined();
    expect(printed.trim()).not.toBe("");
  },
);

test("the demo runs on the sample, fits 80 columns, and without sessions says where it looked", () => {
  const shown = JSON.parse(
    execFileSync(process.execPath, ["scripts/demo.mjs", "--json"], { encoding: "utf8" }),
  );
  expect(shown.requests).toBeGreaterThanOrEqual(40);
  expect(shown.cuts.length).toBeGreaterThan(0);
  expect(shown.bill.dollars).toBeLessThan(shown.bill.paid.dollars);
  const text = execFileSync(process.execPath, ["scripts/demo.mjs"], { encoding: "utf8" });
  expect(text.split("\n").filter((line) => line.length > 80 && !line.includes("/"))).toEqual([]);
  const empty = join(folder, "empty.jsonl");
  writeFileSync(empty, "");
  expect(() =>
    execFileSync(process.execPath, ["scripts/demo.mjs", empty], { encoding: "utf8", stdio: "pipe" }),
  ).toThrow(/empty/);
});

test("every local link of the pages leads somewhere", () => {
  for (const page of pages) {
    for (const [, target] of readFileSync(page, "utf8").matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
      expect(() => readFileSync(resolve(page, "..", target ?? "")), `${page}: ${target}`).not.toThrow();
    }
  }
});
