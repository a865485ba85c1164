import { expect, test } from "vitest";
import type { ProxyStatus } from "../../src/page/dashboard-data.ts";
import type { Received, Reply } from "../provider/provider.ts";
import { lastOf } from "../sdk/session.ts";
import { CLAUDE_CODE } from "./claude-code.ts";
import { pathOf } from "./project.ts";
import { QWEN_CODE } from "./qwen-code.ts";
import { resultsIn } from "./results-in.ts";
import { EAGER, setStage } from "./stage.ts";
import { doneWith, promptFor, work } from "./work.ts";

const { read, shell } = CLAUDE_CODE.tools;

test("parallel subagents: each conversation is cut separately, and a cold proxy sends the same", async ({
  onTestFinished,
}) => {
  const stage = await setStage(
    onTestFinished,
    CLAUDE_CODE,
    ({ cwd }) =>
      (request) =>
        replyTo(request, cwd),
    EAGER,
  );
  const ran = await stage.run({ prompt: "Look into the modules with two agents. [main]" });
  expect(ran, ran.stderr).toMatchObject({ code: 0, answer: "All is done." });
  expect(stage.provider.refused).toEqual([]);
  expect(stage.complaints).toEqual([]);
  const status = (await (await fetch(`${await stage.url()}/coppice/status`)).json()) as ProxyStatus;
  const main = status.sessions.find(({ parent }) => parent === undefined);
  const others = status.sessions.filter(({ id }) => id !== main?.id);
  expect(others.map(({ parent }) => parent)).toEqual([main?.id, main?.id]);

  for (const name of ["alpha", "beta"]) {
    const isOf = (text: string) => text.includes(`[sub ${name}]`) && !text.includes("[main]");
    const sent = stage.sent().findLast(({ bytes }) => isOf(bytes.toString()));
    const arrived = stage.provider.received.findLast(({ raw }) => isOf(raw));
    expect(arrived?.raw.length).toBeLessThan(sent?.bytes.length ?? 0);
    if (sent) await stage.askCold(sent);
    expect(stage.provider.received.at(-1)?.raw).toBe(arrived?.raw);
  }
});

/** The main agent starts two others at once. They read the same files repeatedly, in turn. */
function replyTo(request: Received, cwd: string): Reply {
  const [, sub] = /\[sub (\w+)\]/.exec(request.raw) ?? [];
  const results = resultsIn(request).length;
  if (!Array.isArray(request.body.tools) || request.body.tools.length === 0) return { text: "A title" };
  if (sub !== undefined && !request.raw.includes("[main]")) {
    if (results >= 8) return { text: `${sub} is done.` };
    const next = results % 2 === 0 ? shell(`cat ${pathOf(cwd, 0)}`) : shell("git status");
    return { text: `Step ${results}.`, calls: [{ id: `step_${sub}_${results}`, ...next }] };
  }
  if (results > 0) return { text: "All is done." };
  const start = (name: string) => ({
    id: `start_${name}`,
    name: "Agent",
    input: { description: name, prompt: `Look. [sub ${name}]`, subagent_type: "general-purpose" },
  });
  return { text: "Two agents.", calls: [start("alpha"), start("beta")] };
}

test("forks of one session, used in turn, are cut separately", async ({ onTestFinished }) => {
  const stage = await setStage(
    onTestFinished,
    CLAUDE_CODE,
    ({ cwd }) => work({ tools: CLAUDE_CODE.tools, cwd }),
    EAGER,
  );
  const ran = await stage.run({ prompt: promptFor("first", 10) });
  expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", 10) });
  const fork = { resume: String(ran.session), args: ["--fork-session"] };
  const [left, right] = await Promise.all([
    stage.run({ ...fork, prompt: promptFor("left", 15) }),
    stage.run({ ...fork, prompt: promptFor("right", 15) }),
  ]);
  expect(left, left?.stderr).toMatchObject({ code: 0, answer: doneWith("left", 15) });
  expect(right, right?.stderr).toMatchObject({ code: 0, answer: doneWith("right", 15) });
  expect(stage.provider.refused).toEqual([]);
  for (const talk of ["left", "right"]) {
    const sent = stage.sent().findLast(({ bytes }) => bytes.includes(`[talk ${talk}]`));
    const arrived = stage.provider.received.findLast(({ raw }) => raw.includes(`[talk ${talk}]`));
    if (sent) await stage.askCold(sent);
    expect(stage.provider.received.at(-1)?.raw).toBe(arrived?.raw);
  }
});

test("its own compaction: makes no new cuts, and the session continues", async ({ onTestFinished }) => {
  const stage = await setStage(
    onTestFinished,
    CLAUDE_CODE,
    ({ cwd }) => work({ tools: CLAUDE_CODE.tools, cwd }),
    EAGER,
  );
  const ran = await stage.run({ prompt: promptFor("first", 10) });
  const resume = String(ran.session);
  const compacted = await stage.run({ prompt: "/compact", resume });
  expect(compacted.code, compacted.stderr).toBe(0);
  const after = await stage.run({ prompt: promptFor("after", 10), resume });
  expect(after, after.stderr).toMatchObject({ code: 0, answer: doneWith("after", 10) });
  expect(stage.provider.refused).toEqual([]);
  expect(stage.complaints).toEqual([]);
  expect(lastOf(stage.provider).raw).toContain("being continued");
  const { received } = stage.provider;
  const asked = received.findIndex(({ raw }) => raw.includes("CRITICAL: Respond with TEXT ONLY"));
  expect(asked).toBeGreaterThan(9);
  expect(countCuts(received[asked])).toBeLessThanOrEqual(countCuts(received[asked - 1]));
});

function countCuts(request: Received | undefined): number {
  return request?.raw.match(/\[superseded|lines omitted/g)?.length ?? 0;
}

// Qwen Code's. Claude Code 2.1.325 returns the whole file again here.
test("a stub says that a file is unchanged: the model still gets its text once", async ({
  onTestFinished,
}) => {
  const { read, shell, ...others } = QWEN_CODE.tools;
  const stage = await setStage(
    onTestFinished,
    QWEN_CODE,
    ({ cwd }) =>
      work({
        ...{ tools: { ...others, read, shell }, cwd },
        instead: (n) => (n === 0 || n === 3 ? read(pathOf(cwd, 0)) : shell(`git log -n ${n}`)),
      }),
    EAGER,
  );
  const ran = await stage.run({ prompt: promptFor("first", 8) });
  expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", 8) });
  expect(stage.provider.refused).toEqual([]);
  expect(stage.sent().at(-1)?.bytes.toString()).toMatch(/unchanged since/i);
  const results = resultsIn(lastOf(stage.provider));
  expect(results.filter((text) => text.includes("of module 0"))).toHaveLength(1);
});

test("a cache of an hour, as with a subscription's login", async ({ onTestFinished }) => {
  const stage = await setStage(
    onTestFinished,
    CLAUDE_CODE,
    ({ cwd }) => work({ tools: CLAUDE_CODE.tools, cwd }),
    EAGER,
  );
  const ran = await stage.run({
    prompt: promptFor("first", 10),
    env: {
      ENABLE_PROMPT_CACHING_1H: "1",
      ANTHROPIC_API_KEY: "",
      CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-none",
    },
  });
  expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", 10) });
  expect(stage.provider.refused).toEqual([]);
  const last = lastOf(stage.provider);
  expect(last.headers.authorization).toBe("Bearer sk-ant-oat01-none");
  expect(last.headers["anthropic-beta"]).toContain("oauth");
  expect(last.raw).toContain('"ttl":"1h"');
});

test("tools that were looked up are references in the history", async ({ onTestFinished }) => {
  const stage = await setStage(
    onTestFinished,
    CLAUDE_CODE,
    ({ cwd }) =>
      work({
        ...{ tools: CLAUDE_CODE.tools, cwd },
        instead: (n) =>
          n === 0
            ? { name: "ToolSearch", input: { query: "select:NotebookEdit", max_results: 1 } }
            : n < 4
              ? read(pathOf(cwd, n % 2))
              : undefined,
      }),
    EAGER,
  );
  const ran = await stage.run({ prompt: promptFor("first", 10), env: { ENABLE_TOOL_SEARCH: "true" } });
  expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", 10) });
  expect(stage.provider.refused).toEqual([]);
  expect(lastOf(stage.provider).raw).toContain('"type":"tool_reference"');
});
