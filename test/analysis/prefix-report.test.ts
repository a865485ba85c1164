import { expect, test } from "vitest";
import { measureRate } from "../../src/analysis/prefix-rate.ts";
import { reportPrefix } from "../../src/analysis/prefix-report.ts";
import { measureUse, type SessionUse } from "../../src/analysis/session-use.ts";
import { listHistories } from "../../src/analysis/tool-history.ts";
import { profileFor } from "../../src/models/profile-for.ts";
import { makeRecording } from "../../src/recordings/recording.ts";

const NOW = Date.UTC(2026, 10, 18);
const DAY = 86_400_000;
const usage = (cacheRead: number, cacheWrite: number) => ({ input: 10, cacheRead, cacheWrite, output: 5 });

function record(tools: readonly string[], usages: readonly (ReturnType<typeof usage> | undefined)[]) {
  const model = "claude-sonnet-4-5";
  const messages = [
    { role: "user", content: "Go" },
    ...usages.flatMap((_, i) => [
      {
        role: "assistant",
        content: [{ type: "tool_use", id: `t${i}`, name: tools[i % tools.length], input: {} }],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: `t${i}`, content: "ok" }] },
    ]),
  ];
  const meta = messages.map(({ role }, i) => ({
    time: NOW - DAY + i * 1_000,
    ...(role === "assistant" && { model, ...(usages[(i - 1) / 2] && { usage: usages[(i - 1) / 2] }) }),
  }));
  return makeRecording({
    ...{
      source: "claude-code",
      format: "anthropic-messages",
      issues: [],
      skipped: 0,
      session: "s",
      project: "/p",
    },
    segments: [{ messages, meta, carried: 0 }],
  });
}

test("a session's calls, and whether the cache had the prefix for its requests", () => {
  const own = record(["Read", "Bash"], [usage(0, 20_000), usage(20_000, 500), usage(0, 21_000)]);
  const use = measureUse(own, [record(["WebFetch"], [usage(0, 5_000)])]);
  expect(use).toMatchObject({
    source: "claude-code",
    project: "/p",
    requests: [{ warm: 1, cold: 2, assumedCount: 0 }],
  });
  expect(use.tools.map(({ name, calls }) => [name, calls])).toEqual([
    ["Read", 2],
    ["Bash", 1],
    ["WebFetch", 1],
  ]);
});

test("without usage, the first request is assumed to be cold", () => {
  expect(measureUse(record(["Read"], [undefined, undefined, undefined])).requests).toMatchObject([
    { warm: 2, cold: 1, assumedCount: 3 },
  ]);
});

test("tools that a script or a bridge calls count", () => {
  const messages = [
    { type: "message", role: "user", content: "Go" },
    { type: "custom_tool_call", call_id: "1", name: "exec", input: "text(await tools.exec_command({}))" },
    { type: "custom_tool_call_output", call_id: "1", output: "ok" },
    { type: "function_call", call_id: "2", name: "tool_call", arguments: '{"name":"web_fetch"}' },
    { type: "function_call_output", call_id: "2", output: "ok" },
  ];
  const recording = makeRecording({
    ...{ source: "codex", format: "openai-responses", issues: [], skipped: 0, session: "s" },
    segments: [{ messages, meta: messages.map(() => ({})), carried: 0 }],
  });
  expect(
    measureUse(recording)
      .tools.map(({ name }) => name)
      .sort(),
  ).toEqual(["exec", "exec_command", "tool_call", "web_fetch"]);
});

const use = (over: Partial<SessionUse> = {}): SessionUse => ({
  source: "claude-code",
  project: "/p",
  end: NOW,
  tools: [],
  requests: [],
  ...over,
});

test("the rate of a month, at the prices of cached and of new input", () => {
  const day = Math.floor(NOW / DAY);
  const model = "claude-sonnet-4-5";
  const rate = measureRate(
    [
      use({ requests: [{ day, model, warm: 90, cold: 10, assumedCount: 0 }] }),
      use({ requests: [{ day: day - 40, model, warm: 999, cold: 0, assumedCount: 0 }] }),
    ],
    NOW,
    profileFor,
  );
  // One day is not typical of a month: it counts as a week.
  expect(rate).toMatchObject({ days: 7, requests: Math.round((100 * 30) / 7), isEstimate: false });
  const { cache, dollarsPerMillion = 0 } = profileFor(model);
  expect(rate?.dollarsPerToken).toBeCloseTo(
    ((90 * cache.read + 10 * cache.write) * dollarsPerMillion * 30) / 7 / 1e6,
    10,
  );
  expect(measureRate([use()], NOW, profileFor)).toBeUndefined();
});

test("models without a price, and requests with an assumed cache state, make it an estimate", () => {
  const day = Math.floor(NOW / DAY);
  const rate = measureRate(
    [use({ requests: [{ day, model: "house-model", warm: 5, cold: 1, assumedCount: 0 }] })],
    NOW,
    profileFor,
  );
  expect(rate).toEqual({ days: 7, requests: 26, isEstimate: true });
});

test("uses the newest 50 sessions of the project; if there are fewer than 10, those of all projects", () => {
  const many = Array.from({ length: 60 }, (_, i) =>
    use({ end: NOW - i * DAY, tools: [{ name: i < 55 ? "Read" : "Agent", calls: 1, last: NOW - i * DAY }] }),
  );
  const own = listHistories(many, "/p");
  expect(own).toMatchObject({ sessions: 50, isOfProject: true });
  expect(own.of(["Read"])).toEqual({ sessions: 50, last: NOW });
  expect(own.of(["Agent"])).toEqual({ sessions: 0 });
  expect(listHistories(many, "/other")).toMatchObject({ sessions: 50, isOfProject: false });
});

test("the cost and use of each tool and server", () => {
  const day = Math.floor(NOW / DAY);
  const sessions = Array.from({ length: 12 }, (_, i) =>
    use({
      tools: [{ name: i < 3 ? "mcp__words__look_up" : "Bash", calls: 1, last: NOW }],
      requests: [{ day, model: "claude-sonnet-4-5", warm: 10, cold: 0, assumedCount: 0 }],
    }),
  );
  const items = [
    { group: "built-in tools", name: "Bash", isTool: true, tokens: 1_000 },
    { group: "MCP servers", name: "mcp__words__look_up", server: "words", isTool: true, tokens: 200 },
    { group: "MCP servers", name: "instructions", server: "words", tokens: 50 },
    { group: "deferred tools", name: "Later", isTool: true, isHidden: true, tokens: 900 },
  ] as const;
  const rate = measureRate(sessions, NOW, profileFor);
  const report = reportPrefix(
    { model: "claude-sonnet-4-5", items },
    {
      histories: listHistories(sessions, "/p"),
      rate,
      billed: 1.5,
      switchOff: ({ isTool, name }) => (isTool ? `--without=${name}` : undefined),
      switchOffServer: (server) => `--no-server=${server}`,
    },
  );
  expect(report.tokens).toBe(1_250);
  const dollars = (tokens: number) => tokens * 1.5 * (rate?.dollarsPerToken ?? 0);
  expect(report.dollars).toBeCloseTo(dollars(1_250), 10);
  expect(report.servers).toEqual([
    {
      server: "words",
      tokens: 250,
      dollars: dollars(250),
      tools: 1,
      used: { sessions: 3, last: NOW },
      switch: "--no-server=words",
    },
  ]);
  const [bash] = report.groups.find(({ group }) => group === "built-in tools")?.items ?? [];
  expect(bash).toMatchObject({ used: { sessions: 9 }, switch: "--without=Bash", dollars: dollars(1_000) });
  const [later] = report.groups.find(({ group }) => group === "deferred tools")?.items ?? [];
  expect(later?.dollars).toBeUndefined();
});
