import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseHTML } from "linkedom";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { dashboard } from "../../../src/hosts/proxy/dashboard/dashboard.ts";
import { EventSender } from "../../../src/hosts/proxy/dashboard/event-sender.ts";
import { LivePrefixes } from "../../../src/hosts/proxy/live/live-prefixes.ts";
import { LiveSessions } from "../../../src/hosts/proxy/live/live-sessions.ts";
import { type ProxyOptions, type RunningProxy, startProxy } from "../../../src/hosts/proxy/proxy.ts";
import type { Changes, LiveRequest, ProxyStatus, Snapshot } from "../../../src/page/dashboard-data.ts";
import { toAddress } from "../../../src/page/session-address.ts";
import { memoryStore } from "../../../src/stores/memory-store.ts";
import type { Store } from "../../../src/stores/store.ts";
import { makeBody } from "./bodies.ts";
import { EventReader } from "./event-reader.ts";
import { FIGURES } from "./live/sender.ts";
import { type Respond, respondWithEvents, startUpstream } from "./upstream.ts";

const EAGER = {
  schedule: { mode: "eager" },
  strategies: { pruneProtect: 500, pruneMinimum: 500 },
} as const;

let pages: URL;
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), "coppice-pages-"));
  for (const name of ["page.js", "dashboard.js"]) writeFileSync(join(folder, name), "start()");
  for (const name of ["page.css", "dashboard.css", "chart.css"]) writeFileSync(join(folder, name), "a{}");
  pages = pathToFileURL(`${folder}/`);
});
afterAll(() => rmSync(pages, { recursive: true, force: true }));

const open: { close(): void | Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function start(
  options: Partial<ProxyOptions> = {},
  respond: Respond = respondWithEvents,
): Promise<RunningProxy> {
  const upstream = await startUpstream(respond);
  const proxy = await startProxy({
    store: memoryStore(),
    settings: EAGER,
    upstreams: { anthropic: upstream.url },
    onIssue: () => {},
    pages,
    ...options,
  });
  open.push(upstream, proxy);
  return proxy;
}

async function ask(proxy: RunningProxy, session = "s1", body = makeBody(), headers = {}): Promise<void> {
  const response = await fetch(`${proxy.url}/v1/messages`, {
    method: "POST",
    headers: { "x-claude-code-session-id": session, ...headers },
    body,
  });
  await response.text();
}

async function listen(url: string): Promise<EventReader> {
  const reader = await EventReader.open(`${url}/coppice/events`);
  open.push(reader);
  return reader;
}

describe("who may see it", () => {
  const PATHS = [
    "/",
    "/coppice/events",
    "/coppice/status",
    "/coppice/sessions/s1",
    "/coppice/sessions/s1/requests",
    "/coppice/sessions/s1/prefix",
    "/metrics",
  ];
  const status = (proxy: RunningProxy, path: string, headers: Record<string, string>, method = "GET") =>
    new Promise<number>((resolve, reject) => {
      const asked = request(`${proxy.url}${path}`, { method, headers, agent: false }, (response) => {
        resolve(response.statusCode ?? 0);
        response.destroy();
      });
      asked.on("error", reject).end();
    });

  test.each(PATHS)("%s is only for pages of this machine", async (path) => {
    const proxy = await start();
    await ask(proxy);
    expect(await status(proxy, path, {})).toBe(200);
    expect(await status(proxy, path, { origin: "https://evil.example" })).toBe(403);
    expect(await status(proxy, path, { origin: "null" })).toBe(403);
    expect(await status(proxy, path, { host: "evil.example" })).toBe(403);
    expect(await status(proxy, path, { host: `evil.example:${proxy.port}` })).toBe(403);
    expect(await status(proxy, path, { "sec-fetch-site": "cross-site" })).toBe(403);
    expect(await status(proxy, path, {}, "POST")).toBe(405);
  });

  test.each(PATHS)("%s requires the token if there is one", async (path) => {
    const proxy = await start({ token: "t0ken" });
    expect(await status(proxy, path, {})).toBe(401);
    expect(await status(proxy, `/~wrong${path}`, {})).toBe(401);
    expect(await status(proxy, `/~t0ken${path}`, {})).not.toBe(401);
  });

  test("a token's path without its slash leads to the one with it, because the page uses relative paths", async () => {
    const proxy = await start({ token: "t0ken" });
    const response = await fetch(`${proxy.url}/~t0ken`);
    expect(response.url).toBe(`${proxy.url}/~t0ken/`);
    expect(response.status).toBe(200);
  });
});

test("the page has a strict policy, nobody may frame it, and it names no address", async () => {
  const proxy = await start();
  const response = await fetch(`${proxy.url}/`);
  expect(response.headers.get("content-security-policy")).toBe("frame-ancestors 'none'");
  expect(response.headers.get("cache-control")).toBe("no-store");
  const html = await response.text();
  const { document } = parseHTML(html);
  const policy = document.querySelector("meta[http-equiv]")?.getAttribute("content") ?? "";
  expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^']+'; style-src /);
  expect(policy).toContain("connect-src 'self'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(html).not.toMatch(/(?:src|href)=/);
});

describe("events", () => {
  test("a snapshot first, then the changes, with the request that caused them", async () => {
    const proxy = await start();
    await ask(proxy, "s1", makeBody(4));
    const reader = await listen(proxy.url);
    expect(reader.type).toBe("text/event-stream");
    const snapshot = (await reader.next("snapshot")) as Snapshot;
    expect(snapshot.sessions).toMatchObject([{ id: "s1", client: "claude-code", requests: 1 }]);
    expect(snapshot.sessions[0]?.trend).toHaveLength(1);
    expect(snapshot.days).toMatchObject([{ requests: 1 }]);
    await ask(proxy, "s1", makeBody(8));
    let changed: readonly LiveRequest[] = [];
    while (changed.at(-1)?.state !== "answered") {
      const changes = (await reader.next("changes")) as Changes;
      for (const session of changes.sessions ?? []) changed = [...changed, ...session.changed];
    }
    expect(changed.every(({ number }) => number === 2)).toBe(true);
    expect(changed.at(-1)).toMatchObject({ cut: { reason: "eager" }, status: 200 });
    expect(JSON.stringify(changed.at(-1)).length).toBeLessThan(1_500);
  });

  test("the totals of the store follow, including sessions of other programs", async () => {
    const store = memoryStore();
    const proxy = await start({ store });
    const reader = await listen(proxy.url);
    await reader.next("snapshot");
    const sums = { tokensWith: 1, tokensWithout: 2, cuts: 0 };
    await store.addRequest({ session: "pi-1", client: "pi", time: Date.now(), ...sums });
    await ask(proxy);
    for (;;) {
      const { stored, days } = (await reader.next("changes")) as Changes;
      if (!stored) continue;
      expect(stored.map(({ id }) => id).sort()).toEqual(["pi-1", "s1"]);
      expect(days).toMatchObject([{ requests: 2 }]);
      break;
    }
  });

  test("the number of listeners is limited, and one that disconnects makes room", async () => {
    const live = new LiveSessions(FIGURES);
    const service = dashboard({
      live,
      prefixes: new LivePrefixes({ count: (text) => text.length, fail: () => {} }),
      store: memoryStore(),
      settings: {},
      clock: Date.now,
      stream: { mostListeners: 1 },
    });
    open.push({ close: () => service.close?.() });
    const upstream = await startUpstream((_, outgoing) =>
      service.pages?.find(({ path }) => path === "/coppice/events")?.handle({} as never, outgoing, ""),
    );
    open.push(upstream);
    const first = await listen(upstream.url);
    await first.next("snapshot");
    expect((await listen(upstream.url)).status).toBe(503);
    first.close();
    await expect.poll(() => service.listeners).toBe(0);
    expect((await listen(upstream.url)).status).toBe(200);
  });

  test("a listener that disconnects before the first event is ready is removed too", async () => {
    const memory = memoryStore();
    let isAsked = false;
    let read: () => void = () => {};
    const slow = new Promise<void>((resolve) => {
      read = resolve;
    });
    const store: Store = {
      ...memory,
      async listSessions(query) {
        isAsked = true;
        await slow;
        return memory.listSessions(query);
      },
    };
    const proxy = await start({ store });
    const asked = request(`${proxy.url}/coppice/events`, { agent: false });
    asked.on("error", () => {});
    asked.end();
    await expect.poll(() => isAsked).toBe(true);
    asked.destroy();
    await new Promise((resolve) => asked.once("close", resolve));
    // The proxy notices the disconnect before it is served.
    expect((await fetch(`${proxy.url}/healthz`)).status).toBe(200);
    read();
    const reader = await listen(proxy.url);
    await reader.next("snapshot");
    const text = await (await fetch(`${proxy.url}/metrics`)).text();
    expect(text).toMatch(/^coppice_dashboard_listeners 1$/m);
  });

  test("a listener that does not read is disconnected, and nothing is kept for it", async () => {
    const stream = new EventSender({ mostUnread: 100_000 });
    const upstream = await startUpstream((_, outgoing) => stream.add(outgoing, "snapshot", {}));
    open.push(upstream, stream);
    await new Promise<void>((resolve) => {
      const asked = request(upstream.url, { agent: false }, (response) => {
        response.pause();
        resolve();
      });
      asked.on("error", () => {});
      asked.end();
    });
    expect(stream.size).toBe(1);
    const large = "x".repeat(1_000_000);
    for (let i = 0; i < 50 && stream.size > 0; i++) {
      stream.send("changes", large);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(stream.size).toBe(0);
  });

  test("ends with the proxy, which waits for nobody", async () => {
    const proxy = await start();
    const reader = await listen(proxy.url);
    await reader.next("snapshot");
    await proxy.close();
    expect(await reader.next("changes")).toBeUndefined();
  });
});

describe("a session", () => {
  test("opens as the report page, with its requests and none of the headers", async () => {
    const proxy = await start();
    await ask(proxy, "s1", makeBody(3));
    await ask(proxy, "s1", makeBody(8), { "x-api-key": "sk-secret" });
    const response = await fetch(`${proxy.url}/coppice/sessions/s1`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-security-policy")).toBe("frame-ancestors 'none'");
    const html = await response.text();
    const { document } = parseHTML(html);
    const data = JSON.parse(document.getElementById("report")?.textContent ?? "");
    expect(data.session).toMatchObject({ source: "claude-code", id: "s1" });
    expect(data.edits.length).toBeGreaterThan(0);
    expect(html).not.toContain("sk-secret");
  });

  test.each(["s/../1", "..", "a b?c#d", "<script>alert(1)</script>", "é\u{1F600}", "~x"])(
    "with the id %j has its own address",
    async (id) => {
      const proxy = await start();
      await ask(proxy, encodeURIComponent(id));
      const live = await start();
      const header = Buffer.from(id, "utf8").toString("latin1");
      await ask(live, header);
      const { sessions } = (await (await fetch(`${live.url}/coppice/status`)).json()) as ProxyStatus;
      const [session] = sessions;
      expect(sessions).toHaveLength(1);
      const address = `${live.url}/coppice/sessions/${toAddress(session?.id ?? "")}`;
      expect(new URL(address).href).toBe(address);
      const response = await fetch(address);
      expect(response.status).toBe(200);
      expect(await response.text()).not.toContain("<script>alert(1)");
    },
  );

  test.each(["gone", "~!!", "", "../../etc/passwd", "%2e%2e", "~"])(
    "%j is no longer in memory, or never was",
    async (address) => {
      const proxy = await start();
      const [status, text] = await new Promise<[number, string]>((resolve, reject) => {
        const path = `/coppice/sessions/${address}`;
        request({ port: proxy.port, host: "127.0.0.1", path, agent: false }, async (response) => {
          const chunks: Buffer[] = [];
          for await (const chunk of response) chunks.push(chunk as Buffer);
          resolve([response.statusCode ?? 0, Buffer.concat(chunks).toString()]);
        })
          .on("error", reject)
          .end();
      });
      expect(status).toBe(404);
      expect(text).toContain("no longer in memory");
    },
  );

  test("its requests are available for a page that begins to show it", async () => {
    const proxy = await start();
    await ask(proxy, "s1", makeBody(3));
    const asked = await fetch(`${proxy.url}/coppice/sessions/s1/requests`);
    expect(await asked.json()).toMatchObject([{ number: 1, state: "answered" }]);
    expect((await fetch(`${proxy.url}/coppice/sessions/s2/requests`)).status).toBe(404);
  });

  test("the text before its first message, and the tools it has called", async () => {
    const proxy = await start();
    const tools = [
      { name: "read_file", description: "SECRET reads", input_schema: { type: "object" } },
      { name: "mcp__words__look_up", description: "x ".repeat(200), input_schema: { type: "object" } },
    ];
    const body = { ...JSON.parse(makeBody(3)), system: "# My SECRET plan\nBe kind.", tools };
    await ask(proxy, "s1", JSON.stringify(body));
    const find = async () => (await fetch(`${proxy.url}/coppice/sessions/s1/prefix`)).text();
    await vi.waitFor(async () => expect(await find()).not.toBe("null"));
    const prefix = JSON.parse(await find());
    expect(prefix).toMatchObject({
      groups: [{ group: "system prompt" }, { group: "MCP servers" }, { group: "built-in tools" }],
      servers: [{ server: "words", tools: 1, called: 0 }],
      tools: [
        { name: "mcp__words__look_up", isCalled: false },
        { name: "read_file", isCalled: true },
      ],
      unused: { tools: 1 },
    });
    expect(await find()).not.toContain("SECRET");
    expect((await fetch(`${proxy.url}/coppice/sessions/s2/prefix`)).status).toBe(404);
    const page = await (await fetch(`${proxy.url}/coppice/sessions/s1`)).text();
    const data = JSON.parse(parseHTML(page).document.getElementById("report")?.textContent ?? "null");
    expect(data.prefix).toEqual(prefix);
  });

  test("without an answer is not under way forever", async () => {
    const proxy = await start({ upstreams: { anthropic: "http://127.0.0.1:1" } });
    await ask(proxy);
    const { sessions } = (await (await fetch(`${proxy.url}/coppice/status`)).json()) as ProxyStatus;
    expect(sessions).toMatchObject([{ underWay: 0, requests: 1 }]);
    expect(await (await fetch(`${proxy.url}/coppice/sessions/s1/requests`)).json()).toMatchObject([
      { state: "failed" },
    ]);
  });
});

test("a token count is not added to the totals", async () => {
  const store = memoryStore();
  const proxy = await start({ store }, (_, outgoing) => {
    outgoing.writeHead(200, { "content-type": "application/json" });
    outgoing.end(JSON.stringify({ input_tokens: 700 }));
  });
  await fetch(`${proxy.url}/v1/messages/count_tokens`, { method: "POST", body: makeBody() });
  expect(await store.listDays()).toEqual([]);
  expect(await store.listSessions()).toEqual([]);
});

test("the folder of a session is stored with its totals", async () => {
  const store = memoryStore();
  const proxy = await start({ store });
  await ask(proxy, "s1", makeBody(1, "<cwd>/home/ada/shop</cwd>"));
  expect(await store.listSessions()).toMatchObject([{ id: "s1", folder: "shop" }]);
});

test("a holdout's comparison is shown with the rest, also in the terminal", async () => {
  const store = memoryStore();
  const proxy = await start({ store });
  const ask = async () => (await (await fetch(`${proxy.url}/coppice/status`)).json()) as ProxyStatus;
  expect(await ask()).not.toHaveProperty("comparison");
  for (const arm of ["pruned", "heldOut"] as const)
    await store.addRequest({
      session: arm,
      time: Date.now(),
      tokensWith: 1,
      tokensWithout: 1,
      cuts: 0,
      cost: 1,
      arm,
    });
  const { comparison } = await ask();
  expect(comparison).toMatchObject({ missing: 49, pruned: { conversations: 1 }, heldOut: { cost: 1 } });
  const reader = await listen(proxy.url);
  expect(await reader.next("snapshot")).toMatchObject({ comparison });
});
