import { request as httpRequest, type OutgoingHttpHeaders } from "node:http";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../../src/stores/memory-store.ts";
import type { Store } from "../../../../src/stores/store.ts";
import { makeBody } from "../bodies.ts";
import { EVENTS } from "../upstream.ts";
import { setStage } from "./stage.ts";

/** `fetch` would not let us set the page of the request. */
function ask(
  url: string,
  headers: OutgoingHttpHeaders,
  body?: string,
): Promise<{ readonly status: number | undefined; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const asked = httpRequest(url, { method: body === undefined ? "GET" : "POST", headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode, body: text }));
    });
    asked.on("error", reject).end(body);
  });
}

/** A store that keeps account of what it is asked to write. */
function watchWrites(): { readonly store: Store; readonly writes: string[] } {
  const writes: string[] = [];
  const store = new Proxy(memoryStore(), {
    get(target, name, receiver) {
      if (/^(write|add)/.test(String(name))) writes.push(String(name));
      return Reflect.get(target, name, receiver);
    },
  });
  return { store, writes };
}

const OWN_PAGES = [
  "/",
  "/healthz",
  "/metrics",
  "/mcp",
  "/coppice/events",
  "/coppice/status",
  "/coppice/sessions/s1",
];

const FOREIGN: readonly (readonly [string, OutgoingHttpHeaders])[] = [
  ["a page of another site", { origin: "https://evil.example" }],
  ["a page without an origin of its own", { origin: "null" }],
  ["a file", { origin: "file://" }],
  ["an origin without a scheme", { origin: "127.0.0.1" }],
  ["a name that only begins like ours", { origin: "http://localhost.evil.example" }],
  ["a name that looks like an address", { origin: "http://127.0.0.1.evil.example" }],
  ["an image, a link or a form of another site", { "sec-fetch-site": "cross-site" }],
  ["another origin of the same site", { "sec-fetch-site": "same-site", origin: "http://evil.test" }],
  ["a name bent to our address", { host: "evil.example:80" }],
  [
    "a name bent to our address, of which a page asks its own",
    { host: "evil.test", origin: "http://evil.test" },
  ],
  ["a name bent to our address, without an origin", { host: "evil.test", "sec-fetch-site": "same-origin" }],
  ["an invalid host", { host: "%%%" }],
];

test("a page of another program on this machine gets none of our pages, and its requests are pruned", async () => {
  const { upstream, proxy } = await setStage();
  const headers = { origin: "http://localhost:3000" };
  expect((await ask(`${proxy.url}/coppice/status`, headers)).status).toBe(403);
  await ask(`${proxy.url}/v1/messages`, headers, makeBody());
  expect(upstream.arrived[0]?.body.length).toBeLessThan(makeBody().length);
});

describe.each(FOREIGN)("%s", (_, headers) => {
  test.each(OWN_PAGES)("does not get %s of the proxy", async (path) => {
    const { upstream, proxy } = await setStage();
    for (const body of [undefined, "{}"]) {
      const answer = await ask(`${proxy.url}${path}`, headers, body);
      expect(answer.status).toBe(403);
      expect(answer.body).not.toContain("version");
    }
    expect(upstream.arrived).toEqual([]);
  });

  test("is not pruned, remembered or shown", async () => {
    const { store, writes } = watchWrites();
    const { upstream, proxy } = await setStage(undefined, { store });
    const body = makeBody();
    const answer = await ask(`${proxy.url}/v1/messages`, headers, body);
    expect(answer.body).toBe(EVENTS.join(""));
    expect(upstream.arrived[0]?.body.toString()).toBe(body);
    expect(writes).toEqual([]);
    expect(await store.listSessions()).toEqual([]);
  });
});

test.each<[string, OutgoingHttpHeaders]>([
  ["a program", {}],
  ["our own page", { origin: "http://127.0.0.1:PORT", "sec-fetch-site": "same-origin" }],
  ["somebody who typed the address", { "sec-fetch-site": "none" }],
  ["another name of this machine", { host: "coppice.localhost:8787" }],
  ["the address in IPv6", { host: "[::1]:8787" }],
  ["a name that was allowed", { host: "Proxy.Team.example" }],
])("%s is let in, and pruned", async (_, headers) => {
  const { upstream, proxy } = await setStage(undefined, { allowHosts: ["Proxy.team.example"] });
  const origin = headers.origin?.toString().replace("PORT", String(proxy.port));
  const given = { ...headers, ...(origin !== undefined && { origin }) };
  expect((await ask(`${proxy.url}/healthz`, given)).status).toBe(200);
  await ask(`${proxy.url}/v1/messages`, given, makeBody());
  expect(upstream.arrived[0]?.body.length).toBeLessThan(makeBody().length);
});

describe("a token", () => {
  const TOKEN = "s3cret/ä";
  const inPath = `/~${encodeURIComponent(TOKEN)}`;

  test.each<[string, string, OutgoingHttpHeaders]>([
    ["none", "", {}],
    ["a wrong one", "", { "x-coppice-token": "s3cres" }],
    ["a beginning of it", "", { "x-coppice-token": TOKEN.slice(0, -1) }],
    ["more than it", "", { "x-coppice-token": `${encodeURIComponent(TOKEN)}x` }],
    ["an empty one", "/~", {}],
    ["a wrong one in the path", "/~x", {}],
    ["one that can't be decoded", "/~%E0%A4%A", {}],
    ["the right one at another place", `/anthropic${inPath}`, {}],
    ["the right one as somebody else's", "", { authorization: `Bearer ${encodeURIComponent(TOKEN)}` }],
  ])("%s is refused, and nothing is passed on", async (_, prefix, headers) => {
    const { upstream, proxy } = await setStage(undefined, { token: TOKEN });
    const answer = await ask(`${proxy.url}${prefix}/v1/messages`, headers, makeBody(1));
    expect(answer.status).toBe(401);
    expect(answer.body).not.toContain("s3cret");
    expect(upstream.arrived).toEqual([]);
  });

  test("never goes to the provider, in a header or in the path", async () => {
    const token = "s3cret";
    const { upstream, proxy } = await setStage(undefined, { token });
    const header = { "X-Coppice-Token": token };
    const asked: readonly (readonly [string, OutgoingHttpHeaders])[] = [
      [`/~${token}/v1/messages`, {}],
      [`/~${token}/anthropic/v1/messages?beta=true`, header],
      ["/v1/messages", header],
    ];
    for (const [path, headers] of asked)
      expect((await ask(`${proxy.url}${path}`, headers, makeBody(1))).status).toBe(200);
    expect(upstream.arrived.map(({ path }) => path)).toEqual([
      "/v1/messages",
      "/v1/messages?beta=true",
      "/v1/messages",
    ]);
    expect(JSON.stringify(upstream.arrived.map(({ rawHeaders }) => rawHeaders))).not.toContain(token);
  });

  test("is enough under any name: a balancer has its own", async () => {
    const { upstream, proxy } = await setStage(undefined, { token: "s3cret" });
    const host = "coppice.team.example";
    await ask(`${proxy.url}/v1/messages`, { host, "x-coppice-token": "s3cret" }, makeBody());
    expect(upstream.arrived[0]?.body.length).toBeLessThan(makeBody().length);
    expect((await ask(`${proxy.url}/healthz`, { host })).status).toBe(200);
  });

  test("may be required only for the proxy's own pages", async () => {
    const { upstream, proxy } = await setStage(undefined, { pageToken: "s3cret" });
    for (const path of ["/", "/mcp", "/metrics", "/coppice/status", "/coppice/events"])
      expect((await ask(`${proxy.url}${path}`, {})).status).toBe(401);
    expect((await ask(`${proxy.url}/~s3cret/coppice/status`, {})).status).toBe(200);
    await ask(`${proxy.url}/v1/messages`, {}, makeBody());
    expect(upstream.arrived[0]?.body.length).toBeLessThan(makeBody().length);
  });

  test("is not required for health, which reveals nothing else", async () => {
    const { proxy } = await setStage(undefined, { token: TOKEN });
    expect((await ask(`${proxy.url}/healthz`, {})).status).toBe(200);
  });
});
