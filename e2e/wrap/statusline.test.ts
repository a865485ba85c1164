import { expect, type TestContext, test } from "vitest";
import { statuslineSetting } from "../../src/cli/statusline-setting.ts";
import { startProxy } from "../../src/hosts/proxy/proxy.ts";
import { memoryStore } from "../../src/stores/memory-store.ts";
import { openTerminal, type Terminal } from "../cli/terminal.ts";
import { CLAUDE_CODE } from "../clients/claude-code.ts";
import type { Client } from "../clients/client.ts";
import { doneWith, promptFor } from "../clients/work.ts";
import { type Prepared, prepare } from "./prepare.ts";
import { COPPICE, wrapped } from "./wrapped-client.ts";

/** As people use it: without a prompt on its command line. */
const INTERACTIVE: Client = {
  ...CLAUDE_CODE,
  launch(session) {
    const { command, env } = CLAUDE_CODE.launch(session);
    return { command: [command[0], "--dangerously-skip-permissions", "--model", "claude-sonnet-4-5"], env };
  },
};

/** Claude Code of somebody who has answered all that it asks a new user, with the status line in the settings. */
function startInTerminal(
  onTestFinished: TestContext["onTestFinished"],
  client: Client,
  { place, write }: Prepared,
  settings: object = {},
): Terminal {
  write(".claude.json", {
    hasCompletedOnboarding: true,
    bypassPermissionsModeAccepted: true,
    customApiKeyResponses: { approved: ["sk-ant-none"], rejected: [] },
    projects: { [place.cwd]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  });
  write(".claude/settings.json", { statusLine: LINE, ...settings });
  const { command, env } = client.launch({ home: place.home, cwd: place.cwd, prompt: "" });
  return openTerminal(onTestFinished, command, {
    columns: 80,
    rows: 40,
    cwd: place.cwd,
    env: { PATH: process.env.PATH, HOME: place.home, ...env, ...EAGER },
  });
}

/** Asked for every second: on a busy machine, the proxy may once not answer in time. */
const LINE = { ...statuslineSetting([process.execPath, COPPICE]), refreshInterval: 1 };

/** A session this short has something to cut. */
const EAGER = {
  COPPICE_SCHEDULE_MODE: "eager",
  COPPICE_STRATEGIES_PRUNE_PROTECT: "500",
  COPPICE_STRATEGIES_PRUNE_MINIMUM: "500",
};

const SLOW = { timeout: 120_000, interval: 250 };

test("under wrap, Claude Code shows the line with the figures of its session", async ({ onTestFinished }) => {
  const prepared = await prepare(INTERACTIVE);
  const client = wrapped(INTERACTIVE, { provider: prepared.provider.url });
  const terminal = startInTerminal(onTestFinished, client, prepared);
  await expect.poll(terminal.read, SLOW).toMatch(/^ +Coppice: saved today nothing$/m);
  terminal.type(promptFor("first", 12));
  terminal.press("Enter");
  await expect.poll(terminal.read, SLOW).toContain(doneWith("first", 12));
  await expect
    .poll(terminal.read, SLOW)
    .toMatch(/^ +Coppice: context \d+\.\dK instead of \d+\.\dK · saved today \S+ · cache \d+%$/m);
});

test("without wrap, it shows the figures of the proxy that its settings name, until that is gone", async ({
  onTestFinished,
}) => {
  const prepared = await prepare(INTERACTIVE);
  const upstreams = { anthropic: prepared.provider.url };
  const proxy = await startProxy({ store: memoryStore(), upstreams, onIssue: () => {} });
  const terminal = startInTerminal(onTestFinished, INTERACTIVE, prepared, {
    env: { ANTHROPIC_BASE_URL: `${proxy.url}/anthropic` },
  });
  await expect.poll(terminal.read, SLOW).toMatch(/^ +Coppice: saved today nothing$/m);
  terminal.type(promptFor("first", 3));
  terminal.press("Enter");
  await expect
    .poll(terminal.read, SLOW)
    .toMatch(/^ +Coppice: context \d+\.\dK · saved today \S+ · cache \d+%$/m);
  await proxy.close();
  await expect.poll(terminal.read, SLOW).toMatch(/^ +Coppice: no proxy · context \d+\.\dK · cache \d+%$/m);
});
