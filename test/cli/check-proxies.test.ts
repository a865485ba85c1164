import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { checkProxies } from "../../src/cli/check-proxies.ts";
import type { Env } from "../../src/cli/clients/client.ts";
import { applyChanges, planChanges } from "../../src/cli/setup/apply-changes.ts";
import { SETUPS } from "../../src/cli/setup/setups.ts";
import { startProxy } from "../../src/hosts/proxy/proxy.ts";
import { memoryStore } from "../../src/stores/memory-store.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "coppice-doctor-"));
});
afterEach(() => rmSync(home, { recursive: true }));

function write(path: string, value: unknown): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), typeof value === "string" ? value : JSON.stringify(value));
}

/** The result of `coppice init` for a user's file, with its copy. */
async function setUp(name: string, url: string): Promise<void> {
  const changes = SETUPS[name]?.changes({ env: {}, home, directory: home }, url) ?? [];
  const login = { security: { auth: { selectedType: "gemini-api-key" } } };
  for (const { file } of changes) write(file.slice(home.length), file.endsWith(".json") ? login : "\n");
  await applyChanges(await planChanges(changes));
}

async function check(env: Env = {}) {
  const findings = await checkProxies({ env, home, directory: join(home, "project") });
  return findings.filter(({ what }) => what !== "proxy");
}

async function startCoppice(): Promise<string> {
  const proxy = await startProxy({ store: memoryStore() });
  onTestFinished(() => proxy.close());
  return proxy.url;
}

async function startOther(answer = "hello"): Promise<string> {
  const server = createServer((_, outgoing) => outgoing.end(answer));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function freeAddress(): Promise<string> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return `http://127.0.0.1:${port}`;
}

test("nothing is set up: nothing to report", async () => {
  expect(await check({ OPENAI_BASE_URL: "https://gateway.test/v1" })).toEqual([]);
});

test.each(Object.keys(SETUPS))("%s reaches the proxy", async (name) => {
  const url = await startCoppice();
  await setUp(name, url);
  expect(await check()).toEqual([
    expect.objectContaining({ state: "ok", found: expect.stringContaining(`at ${url}`) }),
  ]);
});

test.each(Object.keys(SETUPS))("reports a proxy that is down for %s", async (name) => {
  const url = await freeAddress();
  await setUp(name, url);
  expect(await check()).toEqual([
    {
      state: "problem",
      what: expect.stringContaining("proxy of"),
      found: expect.stringMatching(/where nothing answers$/),
      advice: `start it: coppice proxy --port ${new URL(url).port}; or remove the address: coppice remove ${name}`,
    },
  ]);
});

test("a variable that names a proxy that is gone", async () => {
  const url = `${await freeAddress()}/~token/anthropic`;
  expect(await check({ ANTHROPIC_BASE_URL: url })).toEqual([
    expect.objectContaining({
      state: "problem",
      advice: expect.stringContaining("unset ANTHROPIC_BASE_URL"),
    }),
  ]);
});

test("a team's proxy that can't be reached", async () => {
  await setUp("claude", "http://coppice.invalid/~token");
  expect(await check()).toEqual([
    expect.objectContaining({
      state: "problem",
      found: expect.stringMatching(/points to http:\/\/coppice\.invalid, where nothing answers$/),
      advice: "check that it runs and can be reached from here; or remove the address: coppice remove claude",
    }),
  ]);
});

test("a port that another program uses", async () => {
  await setUp("codex", await startOther());
  expect(await check()).toEqual([
    expect.objectContaining({ state: "problem", found: expect.stringContaining("other than Coppice") }),
  ]);
});

test("the service answers in the proxy's place: what it says is passed on", async () => {
  await setUp("codex", await startOther('{ "error": { "message": "coppice: its service can\'t start" } }'));
  expect(await check()).toEqual([
    expect.objectContaining({
      state: "problem",
      found: expect.stringContaining("coppice: its service can't start"),
      advice: expect.stringContaining("coppice remove codex"),
    }),
  ]);
});

test("ignores a server of the user's own on this machine", async () => {
  expect(await check({ OPENAI_BASE_URL: `${await startOther()}/v1` })).toEqual([]);
});

test("an address at a stronger level bypasses the proxy", async () => {
  await setUp("claude", await startCoppice());
  write("project/.claude/settings.json", { env: { ANTHROPIC_BASE_URL: "https://gateway.test" } });
  expect(await check()).toEqual([
    expect.objectContaining({
      state: "problem",
      found: expect.stringMatching(
        /project.*https:\/\/gateway\.test, which takes precedence over the proxy in .*settings\.json$/,
      ),
      advice: expect.stringContaining("--upstream anthropic=https://gateway.test"),
    }),
  ]);
});

test("Bedrock bypasses the proxy", async () => {
  await setUp("claude", await startCoppice());
  const findings = await check({ CLAUDE_CODE_USE_BEDROCK: "1" });
  expect(findings.map(({ state }) => state)).toEqual(["ok", "problem"]);
  expect(findings[1]?.found).toContain("CLAUDE_CODE_USE_BEDROCK");
});
