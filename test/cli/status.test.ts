import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pc from "picocolors";
import { afterEach, expect, test, vi } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import type { Screen } from "../../src/cli/screen.ts";
import { startProxy } from "../../src/hosts/proxy/proxy.ts";
import { memoryStore } from "../../src/stores/memory-store.ts";
import { sqliteStore } from "../../src/stores/sqlite-store.ts";
import type { RequestSums } from "../../src/stores/store.ts";
import { makeBody } from "../hosts/proxy/bodies.ts";
import { respondWithEvents, startUpstream } from "../hosts/proxy/upstream.ts";

const NOBODY = "http://127.0.0.1:1";
const open: { close(): unknown }[] = [];
let columns = 120;
afterEach(async () => {
  columns = 120;
  for (const each of open.splice(0).reverse()) await each.close();
  vi.unstubAllEnvs();
  process.exitCode = undefined;
});

async function run(...args: readonly string[]): Promise<{ out: string; err: string; code: unknown }> {
  let [out, err] = ["", ""];
  const screen: Screen = {
    print: (text) => {
      out += text;
    },
    note: (text) => {
      err += `${text}\n`;
    },
    columns,
    isTerminal: false,
    paint: pc.createColors(false),
    paintNote: pc.createColors(false),
    status: () => {},
  };
  await runCli(["status", ...args], screen);
  return { out, err, code: process.exitCode };
}

const sums = (over: Partial<RequestSums> = {}): RequestSums => ({
  session: "ses_1",
  time: Date.now(),
  client: "opencode",
  model: "gpt-5.4",
  folder: "garden",
  tokensWith: 10,
  tokensWithout: 20,
  costWith: 0.3,
  costWithout: 0.4,
  cuts: 1,
  ...over,
});

async function startWithSession(token?: string) {
  const upstream = await startUpstream(respondWithEvents);
  const store = memoryStore();
  await store.addRequest(sums());
  await store.addRequest(sums({ session: "evil", client: "\u001b[31mred\u0007", time: Date.now() - 40 }));
  const proxy = await startProxy({
    store,
    upstreams: { anthropic: upstream.url },
    onIssue: () => {},
    ...(token !== undefined && { token }),
  });
  open.push(upstream, proxy);
  await fetch(`${proxy.url}${token === undefined ? "" : `/~${token}`}/v1/messages`, {
    method: "POST",
    headers: { "x-claude-code-session-id": "s1" },
    body: makeBody(3, "<cwd>/home/ada/shop</cwd>"),
  }).then((response) => response.text());
  return proxy;
}

test("a table from the running proxy: today, this month, its sessions and others", async () => {
  const { url } = await startWithSession();
  const { out, code } = await run("--url", url);
  expect(code ?? 0).toBe(0);
  expect(out).toContain(`at ${url}, up for 0 min`);
  expect(out).toMatch(/\$0\.20 +2\d\.\d% +\$0\.6\d +\$0\.8\d +3 +today/);
  expect(out).toMatch(/this month/);
  expect(out).toMatch(/Sessions in the proxy\n.*\n.* 1 .* now +claude-code in shop, claude-sonnet-4-5\n/);
  expect(out).toMatch(/Sessions before\n(?:.*\n)*.*\$0\.10 +25\.0% +1 +now +opencode in garden, gpt-5\.4\n/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal would obey
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
});

test("the same as JSON, and with a token", async () => {
  const { url } = await startWithSession("t0ken");
  expect((await run("--url", url)).err).toMatch(/requires its token: set COPPICE_TOKEN/);
  vi.stubEnv("COPPICE_TOKEN", "t0ken");
  const { out } = await run("--url", url, "--json");
  expect(JSON.parse(out)).toMatchObject({ sessions: [{ id: "s1", folder: "shop", requests: 1 }] });
});

test("in 80 columns no line is longer, and names are cut", async () => {
  const { url } = await startWithSession();
  columns = 80;
  const lines = (await run("--url", `${url}/~a-token-that-is-rather-long`)).out.split("\n");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines.join("\n")).toMatch(/now {2}claude-code in shop, cla\S*…\n/);
});

test("what reads a pipe gets --watch once, as without it", async () => {
  const { url } = await startWithSession();
  const { out } = await run("--url", url);
  expect(await run("--url", url, "--watch")).toMatchObject({ out, err: "" });
});

test("the address is that of COPPICE_URL, unless --url says another", async () => {
  vi.stubEnv("COPPICE_URL", (await startWithSession("t0ken")).url);
  vi.stubEnv("COPPICE_TOKEN", "t0ken");
  expect((await run()).out).toContain(process.env.COPPICE_URL);
  const { url } = await startWithSession();
  expect((await run("--url", url)).out).toContain(`at ${url}, up`);
});

test("from the store if no proxy answers", async () => {
  const folder = mkdtempSync(join(tmpdir(), "coppice-status-"));
  open.push({ close: () => rmSync(folder, { recursive: true, force: true }) });
  const path = join(folder, "journal.db");
  const store = await sqliteStore({ path });
  await store.addRequest(sums());
  await store.close();
  const { out, err } = await run("--url", NOBODY, "--store", path);
  expect(err).toContain(`No proxy answers at ${NOBODY}; this is from its store, ${path}`);
  expect(out).toMatch(/\$0\.10 +25\.0%.*today/);
  expect(out).toContain("opencode in garden, gpt-5.4");
  const { out: json } = await run("--url", NOBODY, "--store", path, "--json");
  expect(JSON.parse(json)).toMatchObject({ stored: [{ id: "ses_1" }], days: [{ requests: 1 }] });
});

test("neither: reports it, and creates no store", async () => {
  const folder = mkdtempSync(join(tmpdir(), "coppice-status-"));
  open.push({ close: () => rmSync(folder, { recursive: true, force: true }) });
  vi.stubEnv("XDG_DATA_HOME", folder);
  const { err, code } = await run("--url", NOBODY);
  expect(code).toBe(1);
  expect(err).toMatch(/No proxy answers at http:\/\/127\.0\.0\.1:1, and there is no store at .*journal\.db/);
  expect((await run("--url", NOBODY)).code).toBe(1);
});

test("another server at the address is not a proxy", async () => {
  const server = createServer((_, outgoing) => void outgoing.end("<html>hello"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  open.push({ close: () => new Promise((resolve) => server.close(resolve)) });
  const { err } = await run("--url", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  expect(err).toMatch(/is not a Coppice proxy \(HTTP 200\)/);
  expect((await run("--url", "nowhere")).code).toBe(2);
});
