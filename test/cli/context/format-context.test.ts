import pc from "picocolors";
import { expect, test } from "vitest";
import type { ContextReport } from "../../../src/cli/context/context-report.ts";
import { formatContext } from "../../../src/cli/context/format-context.ts";

const paint = pc.createColors(false);
const LAST = Date.UTC(2026, 10, 17);

const REPORT: ContextReport = {
  ...{
    client: "claude",
    title: "Claude Code",
    project: "~/shop",
    time: LAST,
    counted: "claude",
    billed: 1.3,
  },
  refused: ["api.example"],
  changes: {
    since: LAST,
    list: [
      { group: "MCP servers", name: "tracker", before: 900, after: 9_900 },
      { group: "built-in tools", name: "Workflow", before: 0, after: 1_250 },
      { group: "memory files", name: "/home/me/shop/CLAUDE.md", before: 400, after: 0 },
    ],
  },
  prefix: {
    ...{ model: "claude-sonnet-4-5", tokens: 12_300, dollars: 41.5 },
    groups: [
      {
        group: "system prompt",
        tokens: 1_000,
        dollars: 3,
        items: [{ group: "system prompt", name: "Style", tokens: 1_000 }],
      },
      {
        ...{ group: "built-in tools", tokens: 1_300, dollars: 4.2 },
        items: [
          {
            group: "built-in tools",
            name: "Workflow",
            isTool: true,
            tokens: 1_250,
            dollars: 4,
            used: { sessions: 0 },
            switch: "--disallowedTools=Workflow",
          },
          {
            group: "built-in tools",
            name: "inner",
            within: "exec",
            isTool: true,
            tokens: 50,
            dollars: 0.2,
            used: { sessions: 12, last: LAST },
          },
        ],
      },
      {
        ...{ group: "MCP servers", tokens: 9_900, dollars: 33 },
        items: [
          {
            group: "MCP servers",
            name: `mcp__tracker__${"long_".repeat(20)}name`,
            server: "tracker",
            isTool: true,
            tokens: 9_900,
            dollars: 33,
            used: { sessions: 0 },
          },
        ],
      },
      {
        group: "deferred tools",
        tokens: 100,
        items: [{ group: "deferred tools", name: "Web\u001b[31mFetch", isTool: true, tokens: 100 }],
      },
    ],
    servers: [
      {
        server: "tracker",
        tokens: 9_900,
        dollars: 33,
        tools: 1,
        used: { sessions: 0 },
        switch: 'disabledMcpjsonServers: ["tracker"]',
      },
    ],
    rate: { requests: 4_120, days: 30, isEstimate: false, dollarsPerToken: 0.0026 },
    history: { sessions: 50, isOfProject: true },
  },
};

test.each([60, 80, 120, 200])("fits %i columns, with the same content", (columns) => {
  const text = formatContext(REPORT, 15, { columns, isTerminal: true, paint });
  for (const line of text.split("\n")) expect(line.length, line).toBeLessThanOrEqual(columns);
  const words = text.replace(/\s+/g, " ");
  expect(words).toContain(
    "Claude Code in ~/shop sends 12,300 tokens before your first word, to claude-sonnet-4-5.",
  );
  expect(words).toContain("At your 4,120 requests a month that is $41.50 a month.");
  expect(words).toMatch(/Workflow 1,250 (?:\$4\.00 )?0 of 50/);
  expect(words).toContain("tracker");
  expect(words).toContain("Used in: the last 50 sessions of this project.");
  expect(words).toContain("Nothing left this machine. Not reached: api.example.");
  expect(text).not.toContain("\u001b");
});

test("if wide enough, each tool has its switch, its use and its cost", () => {
  const text = formatContext(REPORT, 15, { columns: 200, isTerminal: false, paint });
  expect(text).toMatch(/Workflow +1,250 +\$4\.00 +0 of 50 +never +--disallowedTools=Workflow/);
  expect(text).toMatch(/exec: inner +50 +\$0\.20 +12 of 50 +2026-11-17/);
  expect(text).toMatch(
    /tracker \(1 tool\) +9,900 +\$33\.00 +0 of 50 +never +disabledMcpjsonServers: \["tracker"\]/,
  );
  expect(text).toMatch(/tracker +MCP servers +grew from 900 +9,900/);
  expect(text).toMatch(/Workflow +built-in tools +is new +1,250/);
  expect(text).toMatch(/CLAUDE\.md +memory files +is gone +−400/);
  expect(text).not.toContain("█");
});

test("reports that there are no recorded sessions", () => {
  const { rate: _, dollars: __, ...prefix } = REPORT.prefix;
  const bare = { ...REPORT, prefix: { ...prefix, history: { sessions: 0, isOfProject: false } } };
  const text = formatContext(bare, 1, { columns: 100, isTerminal: false, paint });
  expect(text).toContain("No recorded sessions of this client were found");
  expect(text).not.toContain("used in");
  expect(text).toContain("2 more, 1,300 tokens: --top");
});
