import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CLAUDE_CODE } from "../clients/claude-code.ts";
import type { Client } from "../clients/client.ts";
import { CODEX } from "../clients/codex.ts";
import { runClient, startClient } from "../clients/run-client.ts";
import { doneWith, promptFor, work } from "../clients/work.ts";
import { prepare } from "./prepare.ts";
import { wrapped } from "./wrapped-client.ts";

const SETTINGS = {
  [CLAUDE_CODE.name]: [".claude/settings.json", '{\n  // mine\n  "model": "sonnet"\n}\n'],
  [CODEX.name]: [".codex/config.toml", '# mine\nmodel_reasoning_effort = "low"\n'],
} as const;

/** A model at work, and the time of its first request. */
async function prepareToBeAsked(client: Client) {
  let asked: () => void = () => {};
  const isAsked = new Promise<void>((done) => {
    asked = done;
  });
  const prepared = await prepare(client, (request) => {
    asked();
    return work({ tools: client.tools, cwd: prepared.place.cwd })(request);
  });
  return { ...prepared, isAsked };
}

describe.each([CLAUDE_CODE, CODEX])("$name", (client) => {
  test("wrap is killed in the middle: settings are unchanged, and the client works without it", async () => {
    const [path, text] = SETTINGS[client.name] ?? ["", ""];
    const { isAsked, ...prepared } = await prepareToBeAsked(client);
    const { place, provider, write } = prepared;
    write(path, text);
    const session = { home: place.home, cwd: place.cwd, prompt: promptFor("first", 5) };
    const running = startClient(wrapped(client, { provider: provider.url }), session);
    await isAsked;
    running.child.kill("SIGKILL");
    // Its child processes are in the group that the test made for it.
    if (running.child.pid) process.kill(-running.child.pid, "SIGKILL");
    await running.ended.catch(() => {});
    const left = readFileSync(join(place.home, path), "utf8");
    expect(left.startsWith(text)).toBe(true);
    expect(left).not.toMatch(/127\.0\.0\.1|coppice(?!-client)/);

    const plain = { ...session, baseUrl: provider.url, prompt: promptFor("again", 2) };
    const ran = await runClient(client, plain);
    expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("again", 2) });
  });

  test("wrap alone is killed: the client ends at once, and says what to do", async () => {
    const { place, provider, isAsked } = await prepareToBeAsked(client);
    const session = { home: place.home, cwd: place.cwd, prompt: promptFor("first", 5) };
    const running = startClient(wrapped(client, { provider: provider.url }), session);
    await isAsked;
    running.child.kill("SIGKILL");
    const { stdout } = await running.ended;
    expect(stdout).toContain("`coppice wrap` was killed, and no request can reach the model any more.");
    // Codex's message when it retries.
    expect(stdout).not.toContain("Reconnecting");
  });

  test("a run that fails ends with the same code as without wrap", async () => {
    const { place, provider } = await prepare(client);
    const session = { home: place.home, cwd: place.cwd, prompt: "Hi", args: ["--no-such-option"] };
    const without = await runClient(client, { ...session, baseUrl: provider.url });
    const within = await runClient(wrapped(client, { provider: provider.url }), session);
    expect(without.code).toBeGreaterThan(0);
    expect(within.code).toBe(without.code);
    expect(within.stderr).toMatch(/^coppice: no request to a model came through: /m);
  });
});
