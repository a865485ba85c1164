import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { profileFor } from "../../src/models/profile-for.ts";
import { findWire } from "../../src/wires/find-wire.ts";
import { CLAUDE_CODE } from "../clients/claude-code.ts";
import type { Workplace } from "../clients/project.ts";
import { resultsIn } from "../clients/results-in.ts";
import { type Ran, runClient } from "../clients/run-client.ts";
import { doneWith, promptFor } from "../clients/work.ts";
import type { Provider, Received } from "../provider/provider.ts";
import { lastOf } from "../sdk/session.ts";
import { prepare } from "./prepare.ts";
import { wrapped } from "./wrapped-client.ts";

const MODEL = "claude-sonnet-4-5";
const STEPS = 20;
const UNUSED = ["Agent", "ReportFindings", "ScheduleWakeup", "Workflow"];
const USED = ["Bash", "Edit", "ListAgents", "Read", "Skill", "Write"];

/** Sessions of this project as Claude Code records them: each calls some of its tools. */
function recordSessions({ home, cwd }: Workplace, count: number): void {
  const folder = join(home, ".claude/projects", cwd.replace(/[^A-Za-z0-9]/g, "-"));
  mkdirSync(folder, { recursive: true });
  for (let i = 0; i < count; i++) {
    const base = { sessionId: `s${i}`, cwd, version: "2.1.325", isSidechain: false };
    const time = (n: number) => new Date(Date.now() - (i + 1) * 3_600_000 + n * 1_000).toISOString();
    const usage = {
      input_tokens: 5,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 20_000,
      output_tokens: 9,
    };
    const lines = USED.flatMap((name, n) => [
      {
        ...{
          ...base,
          type: "assistant",
          uuid: `a${n}`,
          parentUuid: n === 0 ? "u" : `r${n - 1}`,
          timestamp: time(2 * n + 1),
        },
        message: {
          id: `m${n}`,
          role: "assistant",
          model: MODEL,
          usage,
          content: [{ type: "tool_use", id: `t${n}`, name, input: {} }],
        },
      },
      {
        ...{ ...base, type: "user", uuid: `r${n}`, parentUuid: `a${n}`, timestamp: time(2 * n + 2) },
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: `t${n}`, content: "ok" }] },
      },
    ]);
    const prompt = {
      ...base,
      type: "user",
      uuid: "u",
      parentUuid: null,
      timestamp: time(0),
      message: { role: "user", content: "Go" },
    };
    const text = [prompt, ...lines].map((line) => `${JSON.stringify(line)}\n`).join("");
    writeFileSync(join(folder, `s${i}.jsonl`), text);
  }
}

interface Session {
  readonly ran: Ran;
  readonly provider: Provider;
  readonly first: Received;
  /** Input as the provider bills it, in tokens of plain input. */
  readonly bill: number;
}

async function run(flags: readonly string[], sessions = 12): Promise<Session> {
  const { place, provider } = await prepare(CLAUDE_CODE);
  recordSessions(place, sessions);
  const client = wrapped(CLAUDE_CODE, { provider: provider.url, flags: ["--no-tools", ...flags] });
  const session = { home: place.home, cwd: place.cwd, prompt: promptFor("first", STEPS), model: MODEL };
  const ran = await runClient(client, session);
  expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", STEPS) });
  expect(provider.refused).toEqual([]);
  expect(resultsIn(lastOf(provider))).toHaveLength(STEPS);
  const own = provider.received.filter(({ body }) => Array.isArray(body.tools) && body.tools.length > 0);
  const [first] = own;
  if (!first) throw new Error("There was no request with tools.");
  return { ran, provider, first, bill: own.reduce((sum, request) => sum + priceOf(request), 0) };
}

function priceOf({ path, answer }: Received): number {
  const reader = findWire("POST", path)?.openAnswer();
  reader?.push(answer());
  const { usage } = reader?.end() ?? {};
  const { cache } = profileFor(MODEL);
  return usage ? usage.input + usage.cacheRead * cache.read + usage.cacheWrite * cache.write : Number.NaN;
}

interface Tool {
  readonly name: string;
}

const toolsOf = ({ body }: Received): readonly Tool[] => body.tools as readonly Tool[];
const namesOf = (request: Received) => toolsOf(request).map(({ name }) => name);

test("tools that the project's sessions never called are left out, from the first request to the last", async () => {
  const without = await run([]);
  const lean = await run(["--lean"]);
  expect(lean.ran.stderr).toMatch(
    /^coppice: lean: without \w+(?:, \w+){3}, which the last 12 sessions of this project never called: [\d,]+ of [\d,]+ tokens less with each request/m,
  );
  for (const name of UNUSED) expect(lean.ran.stderr).toContain(name);

  expect(namesOf(without.first)).toEqual(expect.arrayContaining(UNUSED));
  expect(namesOf(lean.first)).toEqual(namesOf(without.first).filter((name) => !UNUSED.includes(name)));
  const definitions = toolsOf(without.first)
    .filter(({ name }) => UNUSED.includes(name))
    .reduce((sum, tool) => sum + JSON.stringify(tool).length, 0);
  expect(without.first.raw.length - lean.first.raw.length).toBeGreaterThanOrEqual(definitions);
  const sets = lean.provider.received.map((request) => JSON.stringify(toolsOf(request) ?? []));
  expect(new Set(sets.filter((set) => set !== "[]")).size).toBe(1);

  console.log(
    `Claude Code, ${STEPS} steps: first request ${without.first.raw.length} bytes, lean ${lean.first.raw.length}; bill ${Math.round(without.bill)} tokens of plain input, lean ${Math.round(lean.bill)} (${((100 * lean.bill) / without.bill).toFixed(1)} %)`,
  );
  expect(lean.bill).toBeLessThan(0.95 * without.bill);
});

test("--lean=keep: keeps some; with fewer than ten sessions nothing is left out", async () => {
  const kept = await run(["--lean=keep:Agent,Workflow"]);
  expect(namesOf(kept.first)).toEqual(expect.arrayContaining(["Agent", "Workflow"]));
  expect(namesOf(kept.first)).not.toContain("ScheduleWakeup");
  const young = await run(["--lean"], 9);
  expect(namesOf(young.first)).toEqual(expect.arrayContaining(UNUSED));
  expect(young.ran.stderr).toContain("no tools are left out: this project has 9 recorded sessions");
});
