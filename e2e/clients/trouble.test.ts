import { describe, expect, test } from "vitest";
import type { Reply } from "../provider/provider.ts";
import { CLAUDE_CODE } from "./claude-code.ts";
import type { Client } from "./client.ts";
import { CLIENTS } from "./clients.ts";
import { CODEX } from "./codex.ts";
import { OPENCODE } from "./opencode.ts";
import type { Workplace } from "./project.ts";
import { EAGER, setStage } from "./stage.ts";
import { doneWith, promptFor, work } from "./work.ts";

/** Two events, each read before the next one comes: then the connection is reset. */
const BREAK: Reply = { text: "This never ends.", cutAfter: 2, pause: 200 };

/** By the step that it happens at, once. */
function faultsFor(client: Client): Readonly<Record<number, Reply>> {
  return {
    2: { fail: { status: 429, message: "slow down", headers: { "retry-after": "1" } } },
    3: { fail: { status: 529, message: "Overloaded" } },
    // Before the first word: see below.
    5: OPENCODE.includes(client) ? { ...BREAK, cutAfter: 1 } : BREAK,
  };
}

/** Without the proxy too: Gemini's stream has no end that could be missing. */
function takesABreakForTheEnd({ dialect }: Client): boolean {
  return dialect === "gemini";
}

describe.concurrent.each(CLIENTS)("$name", (client) => {
  test("429, 529 and a stream that breaks off: its own retries succeed, and nothing else changes", async ({
    onTestFinished,
  }) => {
    const happened = new Set<number>();
    const faults = faultsFor(client);
    const stage = await setStage(
      onTestFinished,
      client,
      ({ cwd }) =>
        work({
          ...{ tools: client.tools, cwd },
          instead(n) {
            if (happened.has(n)) return undefined;
            happened.add(n);
            return faults[n];
          },
        }),
      EAGER,
    );
    const { provider, complaints, run } = stage;
    const ran = await run({ prompt: promptFor("first", 8) });
    if (takesABreakForTheEnd(client)) {
      happened.clear();
      const straight = await run({ prompt: promptFor("first", 8), baseUrl: provider.url });
      expect(ran).toMatchObject({ code: straight.code, answer: straight.answer });
      return;
    }
    expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", 8) });
    expect(provider.refused).toEqual([]);
    expect(complaints).toEqual([]);
    const statuses = stage.sent().map(({ status }) => status);
    expect(statuses).toContain(429);
    expect(statuses).toContain(529);
    // A stream that broke off was requested again.
    expect(provider.received.length).toBeGreaterThan(9 + 2);
  });
});

/**
 * If a stream breaks off after the beginning of a text, OpenCode keeps an empty text in its history, and its next
 * request is refused for that. From an answer that is reset at once, it often receives nothing when connected
 * directly to the provider, and most of it through a proxy.
 */
const KEEPS_NO_WORDS = OPENCODE.filter(({ dialect }) => dialect === "anthropic" || dialect === "chat");

describe.concurrent.each(KEEPS_NO_WORDS)("$name", (client) => {
  test("ends after a stream that broke off, without the proxy too", async ({ onTestFinished }) => {
    // A refused request with cuts would be sent again unchanged.
    const settings = { strategies: { aggressivePruning: { pruneLineNumbers: false } } };
    const script = ({ cwd }: Workplace) => {
      const broken = new Set<string>();
      return work({
        ...{ tools: client.tools, cwd },
        instead(n, { raw }) {
          const talk = /\[talk (\w+)\]/.exec(raw)?.[1] ?? "";
          if (n !== 1 || broken.has(talk)) return undefined;
          broken.add(talk);
          // On a busy machine too, the beginning is read before the end comes.
          return { ...BREAK, pause: 1_000 };
        },
      });
    };
    const { provider, run } = await setStage(onTestFinished, client, script, settings);
    const straight = await run({ prompt: promptFor("straight", 3), baseUrl: provider.url });
    expect(provider.refused).toHaveLength(1);
    const through = await run({ prompt: promptFor("through", 3) });
    expect(provider.refused).toHaveLength(2);
    for (const { code, stdout } of [straight, through]) {
      expect(code).toBe(1);
      expect(stdout).toMatch(/empty-message|empty-block/);
    }
    expect(provider.refused[1]).toBe(provider.refused[0]);
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
