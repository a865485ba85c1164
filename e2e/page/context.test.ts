import axe from "axe-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ContextData } from "../../src/page/context-data.ts";
import { PageBench } from "./open-page.ts";

let bench: PageBench;
beforeAll(async () => {
  bench = await PageBench.start();
});
afterAll(() => bench?.stop());

const HOSTILE = "<img src=x onerror=alert(1)></script><script>alert(2)</script> 修复 👩‍👩‍👧‍👦";
const TIME = Date.UTC(2026, 10, 17);

const DATA: ContextData = {
  ...{ title: "Claude Code", project: "/home/ada/shop", time: TIME, billed: 1.4 },
  changes: { since: TIME, list: [{ group: "MCP servers", name: "tracker", before: 900, after: 9_900 }] },
  prefix: {
    ...{ model: "claude-sonnet-4-5", tokens: 12_300, dollars: 41.5 },
    groups: [
      {
        group: "system prompt",
        tokens: 1_000,
        dollars: 3,
        items: [{ group: "system prompt", name: HOSTILE, tokens: 1_000, dollars: 3 }],
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
            name: "Bash",
            isTool: true,
            tokens: 50,
            dollars: 0.2,
            used: { sessions: 12, last: TIME },
          },
        ],
      },
    ],
    servers: [
      { server: "tracker", tokens: 9_900, dollars: 33, tools: 7, used: { sessions: 0 }, switch: "off" },
    ],
    rate: { requests: 4_120, days: 30, isEstimate: false },
    history: { sessions: 50, isOfProject: true },
  },
};

test.each([
  [360, "light"],
  [1_280, "dark"],
] as const)(
  "at %i pixels, %s: the sent text, its cost, unused parts, and how to turn them off",
  async (width, theme) => {
    const { page, trouble } = await bench.openContext(DATA, { width, theme });
    const text = (await page.locator("main").innerText()).replace(/\s+/g, " ");
    expect(text).toContain("12,300");
    expect(text).toContain("$41.50");
    expect(text).toMatch(/1 tool in the last 50 sessions of this project: 1,250 tokens/);
    expect(text).toMatch(/Workflow 1,250 \$4\.00 0 of 50 never --disallowedTools=Workflow/);
    expect(text).toMatch(/Bash 50 \$0\.20 12 of 50 2026-11-17/);
    expect(text).toContain("tracker");
    expect(text).toContain(HOSTILE);
    const { scrollWidth, clientWidth } = (await page.evaluate(
      "({ scrollWidth: document.documentElement.scrollWidth, clientWidth: document.documentElement.clientWidth })",
    )) as { readonly scrollWidth: number; readonly clientWidth: number };
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
    await page.evaluate(axe.source);
    expect(
      await page.evaluate(
        "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))",
      ),
    ).toEqual([]);
    expect(trouble).toEqual([]);
  },
);
