import { execFileSync } from "node:child_process";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough, Readable } from "node:stream";
import { build } from "esbuild";
import { afterEach, describe, expect, test } from "vitest";
import { formatStatusline, type ProxyReply } from "../../src/cli/format-statusline.ts";
import { makeStatusline } from "../../src/cli/statusline.ts";
import { statuslineSetting } from "../../src/cli/statusline-setting.ts";
import { startProxy } from "../../src/hosts/proxy/proxy.ts";
import { memoryStore } from "../../src/stores/memory-store.ts";
import { makeBody } from "../hosts/proxy/bodies.ts";
import { respondWithEvents, startUpstream } from "../hosts/proxy/upstream.ts";

const NOBODY = "http://127.0.0.1:1";
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

/** As Claude Code 2.1.325 writes it, without what Coppice does not read. */
const client = (over: object = {}) => ({
  session_id: "s1",
  context_window: {
    context_window_size: 200_000,
    current_usage: {
      input_tokens: 10,
      output_tokens: 4,
      cache_creation_input_tokens: 1_190,
      cache_read_input_tokens: 44_000,
    },
  },
  prompt_cache: { warm: true },
  ...over,
});

const read = (value: unknown): Readable => Readable.from([Buffer.from(JSON.stringify(value))]);

describe("the line", () => {
  const figures = (over: Partial<Exclude<ProxyReply, string>> = {}): ProxyReply => ({
    name: "coppice",
    saved: { tokens: 1_200_000, dollars: 1.84 },
    session: { raw: 94_000, pruned: 10_500, cached: 0.97 },
    ...over,
  });
  const session = { raw: 94_000, pruned: 10_500, cached: 0.97 };

  test.each<[string, unknown, ProxyReply, string]>([
    [
      "the proxy knows the session",
      client(),
      figures(),
      "context 10.5K instead of 94.0K · saved today $1.84 · cache 97%",
    ],
    [
      "nothing was cut",
      client(),
      figures({ session: { raw: 10_500, pruned: 10_500 } }),
      "context 10.5K · saved today $1.84 · cache 97%",
    ],
    [
      "the cache was lost",
      client(),
      figures({ session: { ...session, cached: 0, lost: "time" } }),
      "context 10.5K instead of 94.0K · saved today $1.84 · cache lost (pause)",
    ],
    [
      "the cache has expired since",
      client({ prompt_cache: { warm: false } }),
      figures(),
      "context 10.5K instead of 94.0K · saved today $1.84 · cache expired",
    ],
    [
      "the proxy does not know the session",
      client(),
      { name: "coppice", saved: { tokens: 7 } },
      "context 45.2K · saved today 7 tokens · cache 97%",
    ],
    [
      "nothing was asked today",
      client({ context_window: { current_usage: null }, prompt_cache: undefined }),
      { name: "coppice", saved: { tokens: 0 } },
      "saved today nothing",
    ],
    [
      "cuts have not paid for themselves yet",
      undefined,
      { name: "coppice", saved: { tokens: 7, dollars: -0.024 } },
      "saved today -$0.02",
    ],
    ["no proxy", client(), "none", "no proxy · context 45.2K · cache 97%"],
    ["no answer", client(), "mute", "no answer from the proxy · context 45.2K · cache 97%"],
    ["an older Claude Code", { session_id: "s1" }, "none", "no proxy"],
    [
      "not what is expected",
      { context_window: { current_usage: { input_tokens: "x" } } },
      "none",
      "no proxy · context 0",
    ],
  ])("%s", (_, input, reply, line) => {
    expect(formatStatusline(input, reply)).toBe(`Coppice: ${line}`);
  });
});

describe("where the figures come from", () => {
  async function startWithSession(token?: string) {
    const upstream = await startUpstream(respondWithEvents);
    const store = memoryStore();
    const tokens = { tokensWith: 10, tokensWithout: 20, cuts: 1 };
    await store.addRequest({ session: "s0", time: Date.now(), ...tokens, costWith: 2, costWithout: 7 });
    const proxy = await startProxy({
      store,
      settings: { schedule: { mode: "eager" }, strategies: { pruneProtect: 500, pruneMinimum: 500 } },
      upstreams: { anthropic: upstream.url },
      onIssue: () => {},
      ...(token !== undefined && { token }),
    });
    open.push(upstream, proxy);
    const base = `${proxy.url}${token === undefined ? "" : `/~${token}`}`;
    for (const steps of [12, 13])
      await fetch(`${base}/v1/messages`, {
        method: "POST",
        headers: { "x-claude-code-session-id": "s1" },
        body: makeBody(steps),
      }).then((response) => response.text());
    return { url: proxy.url, base };
  }
  const LINE = /^Coppice: context \d\.\dK instead of \d+\.\dK · saved today \$5\.00 · cache 0%$/;

  test("the proxy that Claude Code asks, with and without a token", async () => {
    const { url } = await startWithSession();
    const env = { ANTHROPIC_BASE_URL: `${url}/anthropic` };
    expect(await makeStatusline(read(client()), env)).toMatch(LINE);
    const { url: closed, base } = await startWithSession("t0ken");
    const inPath = { ANTHROPIC_BASE_URL: `${base}/anthropic` };
    expect(await makeStatusline(read(client()), inPath)).toMatch(LINE);
    const inHeader = { ANTHROPIC_BASE_URL: closed, COPPICE_TOKEN: "t0ken" };
    expect(await makeStatusline(read(client()), inHeader)).toMatch(LINE);
    const without = { ANTHROPIC_BASE_URL: closed };
    expect(await makeStatusline(read(client()), without)).toMatch(/^Coppice: no answer from the proxy · /);
  });

  test("the one that wrap names comes first; another session has no figures of this one", async () => {
    const { url } = await startWithSession();
    const env = { COPPICE_URL: url, ANTHROPIC_BASE_URL: NOBODY };
    expect(await makeStatusline(read(client()), env)).toMatch(LINE);
    expect(await makeStatusline(read(client({ session_id: "s2" })), env)).toMatch(
      /^Coppice: context 45\.2K · saved today \$5\.00 · cache 97%$/,
    );
    expect(await makeStatusline(undefined, env)).toMatch(/^Coppice: saved today \$5\.00$/);
  });

  test("nobody listens, the address is of another machine, or is not one", async () => {
    for (const ANTHROPIC_BASE_URL of [NOBODY, "https://gateway.example/v1", "http://192.0.2.1", "nowhere"])
      expect(await makeStatusline(read(client()), { ANTHROPIC_BASE_URL })).toBe(
        "Coppice: no proxy · context 45.2K · cache 97%",
      );
  });

  test.each<[string, RequestListener]>([
    ["never answers", () => {}],
    ["breaks off", (_, outgoing) => void outgoing.write("{", () => outgoing.destroy())],
    ["sends no JSON", (_, outgoing) => void outgoing.end("<html>hello")],
    [
      "sends a cause that is not a word",
      (_, outgoing) =>
        void outgoing.end(
          '{"name":"coppice","saved":{"tokens":1},"session":{"raw":1,"pruned":1,"lost":{"toString":1}}}',
        ),
    ],
    ["sends other JSON", (_, outgoing) => void outgoing.end('{"name":"coppice","saved":{"tokens":"x"}}')],
    [
      "sends without end",
      (_, outgoing) => {
        const more = () => outgoing.write("x".repeat(100_000), (error) => !error && more());
        more();
      },
    ],
  ])("a server that %s", async (_, respond) => {
    const server = createServer(respond);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    open.push({
      close: () => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
      },
    });
    const COPPICE_URL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await makeStatusline(read(client()), { COPPICE_URL })).toBe(
      "Coppice: no answer from the proxy · context 45.2K · cache 97%",
    );
  });

  test.each([
    '{"session_id":{"toString":1},"context_window":{"current_usage":[1]}}',
    '{"session_id":"\\ud800"}',
    "null",
    "[]",
    '"text"',
  ])("standard input %s", async (text) => {
    const { url } = await startWithSession();
    expect(await makeStatusline(Readable.from([Buffer.from(text)]), { COPPICE_URL: url })).toMatch(
      /^Coppice: (?:saved today \$5\.00|no answer from the proxy)$/,
    );
  });

  test("standard input that is not JSON, or never ends", async () => {
    const env = { COPPICE_URL: NOBODY };
    expect(await makeStatusline(Readable.from([Buffer.from("{")]), env)).toBe("Coppice: no proxy");
    expect(await makeStatusline(new PassThrough(), env)).toBe("Coppice: no proxy");
  });
});

test("the command starts with a few files of ours and no package", async () => {
  const { metafile } = await build({
    entryPoints: ["src/cli/main.ts"],
    bundle: true,
    splitting: true,
    write: false,
    outdir: "out",
    platform: "node",
    format: "esm",
    packages: "external",
    metafile: true,
    logLevel: "error",
  });
  const loaded = new Set<string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const { path, kind } of metafile.inputs[file]?.imports ?? [])
      if (kind === "import-statement") load(path);
  };
  load("src/cli/main.ts");
  expect([...loaded]).toEqual(["src/cli/main.ts"]);
  load("src/cli/statusline.ts");
  expect([...loaded].filter((file) => !/^(?:node:)?[a-z]+$/.test(file)).length).toBeLessThan(10);
  expect([...loaded].filter((file) => !file.startsWith("src/"))).toEqual(["node:fs", "node:http"]);
});

test.each([[["coppice"]], [["/usr/bin/node", "/home/ada/my apps/it's here/main.js"]]])(
  "the setting's command starts %j in a shell",
  (program) => {
    const { type, command } = statuslineSetting(program);
    expect(type).toBe("command");
    const words = execFileSync("sh", ["-c", `printf '%s\\n' ${command}`], { encoding: "utf8" });
    expect(words.trimEnd().split("\n")).toEqual([...program, "statusline"]);
  },
);
