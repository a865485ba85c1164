import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** Cells of the tables that `npm run bench:economics` writes into docs/economics.md, by table and first cell. */
const measured = new Map(
  [
    ...readFileSync("docs/economics.md", "utf8").matchAll(/<!-- table: (.+?) -->\n```text\n([\s\S]*?)```/g),
  ].map(
    ([, name = "", table = ""]) =>
      [name, new Map(table.split("\n").map((line) => readRow(line.split(/ {2,}/))))] as const,
  ),
);

type Row = readonly [string, readonly string[]];

/** `codex (7)` and `100.0%` here, `Codex` and `100.0 %` in the pages: only letters and figures are compared. */
function readRow([name = "", ...cells]: readonly string[]): Row {
  return [name.toLowerCase().replace(/ \(\d+\)$/, ""), cells.map((cell) => cell.replace(/[*\s]/g, ""))];
}

function readTable(page: string, heading: string): readonly Row[] {
  const [, section = ""] = readFileSync(page, "utf8").split(`\n## ${heading}\n`);
  const rows = (section.split("\n\n").find((text) => text.startsWith("| ")) ?? "").split("\n").slice(2);
  return rows.map((row) =>
    readRow(
      row
        .slice(1, -1)
        .replaceAll("*", "")
        .split("|")
        .map((cell) => cell.trim()),
    ),
  );
}

const AGENTS: Readonly<Record<string, string>> = {
  "claude code": "claude-code",
  "copilot cli": "copilot-cli",
  "gemini cli": "gemini-cli",
  "τ²-bench": "tau2-bench",
  "trae agent": "trae-agent",
};

const POLICIES: Readonly<Record<string, string>> = {
  "coppice as `wrap` starts it, with the agent's tools": "coppice + tools",
  "coppice without the agent's tools": "coppice",
  "coppice, `compact`": "coppice compact",
  "langchain's contextediting": "langchain contextediting",
  "all but 3 results at 100k tokens": "all but 3 at 100k",
  "anthropic's clear_tool_uses (100k, 3)": "clear_tool_uses (100k, 3)",
  "ai sdk's prunemessages (last 20)": "ai prunemessages (last 20)",
  "keep the last 10 results": "keep last 10 results",
};

const agents = measured.get("agents") ?? new Map();
const withTools = measured.get("agents with tools") ?? new Map();
const bills = measured.get("bill") ?? new Map();

test.each(readTable("README.md", "Which number is mine?"))("README: the figures of %s", (name, cells) => {
  const [bill, worst, , , , evidence] = withTools.get(AGENTS[name] ?? name);
  expect(cells.slice(1)).toEqual([bill, worst, evidence]);
});

test.each(readTable("README.md", "Compared with other rules"))("README: the figures of %s", (name, cells) => {
  const [bill, worst, misses, , evidence, , edits] = bills.get(POLICIES[name] ?? name);
  expect(cells).toEqual([bill, worst, misses, evidence, edits]);
});

const savings = readTable("docs/savings.md", "By agent");

test("the pages have tables to compare", () => {
  expect(savings).toHaveLength(10);
  expect(readTable("README.md", "Which number is mine?")).toHaveLength(4);
  expect(readTable("README.md", "Compared with other rules")).toHaveLength(9);
});

test.each(savings)("docs/savings.md: the figures of %s", (name, cells) => {
  const key = AGENTS[name] ?? name;
  const [bill, worst, , misses, , evidence, edits] = withTools.get(key);
  expect(cells.slice(1)).toEqual([bill, worst, agents.get(key)[0], misses, evidence, edits]);
});
