import { describe, expect, test } from "vitest";
import type { Reply } from "../provider/provider.ts";
import { CLAUDE_CODE } from "./claude-code.ts";
import type { Client } from "./client.ts";
import { CLIENTS } from "./clients.ts";
import { CODEX } from "./codex.ts";
import { EAGER, setStage } from "./stage.ts";
import { doneWith, promptFor, work } from "./work.ts";

/** By the step that it happens at, once. */
const FAULTS: Readonly<Record<number, Reply>> = {
  2: { fail: { status: 429, message: "slow down", headers: { "retry-after": "1" } } },
  3: { fail: { status: 529, message: "Overloaded" } },
  5: { text: "This never ends.", cutAfter: 2 },
};

/** Without the proxy too: Gemini's stream has no end that could be missing. */
function takesABreakForTheEnd({ dialect }: Client): boolean {
  return dialect === "gemini";
}

/**
 * OpenCode and Copilot over Chat end with an error now and then, some steps after the break: seen through the proxy only, on a
 * busy machine; why is not known yet.
 */
const STEADY = CLIENTS.filter(({ name }) => !/^(?:OpenCode|Copilot) .*\(chat\)$/.test(name));

describe.concurrent.each(STEADY)("$name", (client) => {
  test("429, 529 and a stream that breaks off: its own retries succeed, and nothing else is changed", async ({
    onTestFinished,
  }) => {
    const happened = new Set<number>();
    const stage = await setStage(
      onTestFinished,
      client,
      ({ cwd }) =>
        work({
          ...{ tools: client.tools, cwd },
          instead(n) {
            if (happened.has(n)) return undefined;
            happened.add(n);
            return FAULTS[n];
          },
        }),
      EAGER,
    );
    const { provider, told, run } = stage;
    const ran = await run({ prompt: promptFor("first", 8) });
    if (takesABreakForTheEnd(client)) {
      happened.clear();
      const straight = await run({ prompt: promptFor("first", 8), baseUrl: provider.url });
      expect(ran).toMatchObject({ code: straight.code, answer: straight.answer });
      return;
    }
    expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", 8) });
    expect(provider.refused).toEqual([]);
    expect(told).toEqual([]);
    const statuses = stage.sent().map(({ status }) => status);
    expect(statuses).toContain(429);
    expect(statuses).toContain(529);
    // What broke off was asked for again.
    expect(provider.received.length).toBeGreaterThan(9 + 2);
  });
});

describe.each([CLAUDE_CODE, CODEX])("$name", (client) => {
  test("that is killed in the middle of an answer frees what was held for it", async ({ onTestFinished }) => {
    let asked: () => void = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const stage = await setStage(onTestFinished, client, ({ cwd }) =>
      work({
        ...{ tools: client.tools, cwd },
        instead(n) {
          if (n !== 1) return undefined;
          asked();
          return { text: "slowly", pause: 60_000 };
        },
      }),
    );
    const { child, ended } = stage.start({ prompt: promptFor("first", 3) });
    await isAsked;
    expect(await stage.inFlight()).toBe(1);
    if (child.pid) process.kill(-child.pid, "SIGKILL");
    await ended;
    await expect.poll(() => stage.inFlight()).toBe(0);
  });
});

// Codex tries again for minutes.
test("Claude Code says clearly that its model is gone when the proxy is", async ({ onTestFinished }) => {
  const stage = await setStage(onTestFinished, CLAUDE_CODE, ({ cwd }) =>
    work({ tools: CLAUDE_CODE.tools, cwd }),
  );
  await stage.tap.close();
  const env = { CLAUDE_CODE_MAX_RETRIES: "1" };
  const ran = await stage.run({ prompt: promptFor("first", 3), env });
  expect(ran.code).toBe(1);
  expect(ran.answer).toMatch(/connect/i);
});
