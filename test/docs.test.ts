import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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

describe("the demo", () => {
  const demo = (...args: readonly string[]) =>
    execFileSync(process.execPath, ["scripts/demo.mjs", ...args], { encoding: "utf8", stdio: "pipe" });

  test("prunes the sample and restores its file byte for byte", () => {
    const { requests, cuts, bill, restore } = JSON.parse(demo("--json"));
    expect(requests).toBeGreaterThanOrEqual(40);
    expect(cuts.length).toBeGreaterThan(0);
    expect(bill.dollars).toBeLessThan(bill.paid.dollars);
    expect(restore.same).toBe(true);
    expect(restore.bytes.after).toBeLessThan(restore.bytes.before);
    expect(restore.bytes.restored).toBe(restore.bytes.before);
  });

  test("piped, prints the result first, three cuts and the restore: 25 lines of 80 columns, no colours", () => {
    const lines = demo().trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(25);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.join("")).not.toContain("\u001b");
    expect(lines[2]).toMatch(/^ {2}bill +\$[\d.]+ +\$[\d.]+ {2}−[\d.]+ %/);
    expect(lines.filter((line) => line.startsWith("  - "))).toHaveLength(3);
    expect(lines.filter((line) => line.startsWith("  + "))).toHaveLength(3);
    expect(lines.join("\n")).toMatch(/^Restore: .* the same, byte for byte$/m);
    expect(lines.at(-3)).toContain("npx coppice analyze");
  });

  test("reports the problem with a file that has no session", () => {
    const empty = join(folder, "empty.jsonl");
    writeFileSync(empty, "");
    expect(() => demo(empty)).toThrow(/empty/);
    const prompt = join(folder, "prompt.jsonl");
    writeFileSync(prompt, `${JSON.stringify({ role: "user", content: "hello" })}\n`);
    expect(() => demo(prompt)).toThrow(/no request to a model/);
  });
});

test("every local link of the pages leads somewhere", () => {
  for (const page of pages) {
    for (const [, target] of readFileSync(page, "utf8").matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
      expect(() => readFileSync(resolve(page, "..", target ?? "")), `${page}: ${target}`).not.toThrow();
    }
  }
});

test("docs/README.md leads to every page", () => {
  const links = new Set(
    [...readFileSync("docs/README.md", "utf8").matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(
      ([, target = ""]) => target,
    ),
  );
  const others = readdirSync("docs").filter((file) => file.endsWith(".md") && file !== "README.md");
  expect(others.filter((file) => !links.has(file))).toEqual([]);
});
