import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { makeBody } from "../bodies.ts";
import { zstdBomb } from "../zstd.ts";
import { setStage } from "./stage.ts";

const LARGEST = 4_000_000;
const BOMB = 400_000_000;
/** Far more than one body of the largest size takes, far less than a bomb. */
const MUCH = 150_000_000;

/** The largest increase of the process's memory during this. */
async function watchMemory(work: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const look = (): void => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const timer = setInterval(look, 1);
  await work();
  look();
  clearInterval(timer);
  return most - before;
}

describe("a body that grows when it is unpacked is passed on unchanged, and takes no memory", () => {
  test.each<[string, () => Buffer]>([
    ["gzip", () => gzipSync(Buffer.alloc(BOMB))],
    ["br", () => brotliCompressSync(Buffer.alloc(BOMB), { params: { 0: 0, 1: 1 } })],
    ["zstd", () => zstdBomb(BOMB / 131_072)],
  ])("%s", async (encoding, make) => {
    const { upstream, proxy, complaints } = await setStage(undefined, { largestBody: LARGEST });
    const bomb = make();
    const taken = await watchMemory(async () => {
      const headers = { "content-encoding": encoding };
      const answer = await fetch(`${proxy.url}/v1/messages`, { method: "POST", headers, body: bomb });
      expect(answer.status).toBe(200);
      await answer.text();
    });
    expect(upstream.arrived[0]?.body.equals(bomb)).toBe(true);
    expect(taken).toBeLessThan(MUCH);
    expect(complaints).toEqual([]);
  });
});

describe("a body that is hard to read is passed on unchanged", () => {
  test.each<[string, string]>([
    ["many brackets", `{"messages": ${"[".repeat(200_000)}${"]".repeat(200_000)}}`],
    ["objects, a hundred thousand deep", `{"messages": ${'{"a":'.repeat(100_000)}1${"}".repeat(100_001)}`],
    ["a million messages of nothing", `{"messages": [${"{},".repeat(1_000_000)}{}]}`],
    ["the same name again and again", `{${'"messages": [], '.repeat(100_000)}"messages": 1}`],
    ["a name that objects have", '{"__proto__": {"messages": []}, "constructor": 1, "messages": {}}'],
    ["a number beyond all bounds", `{"messages": [], "max_tokens": ${"9".repeat(1_000_000)}}`],
    ["half a surrogate pair", '{"model": "\\ud800", "messages": [{"role": "user", "content": "\\udfff"}]}'],
  ])("%s", async (_, body) => {
    const { upstream, proxy } = await setStage();
    const answer = await fetch(`${proxy.url}/v1/messages`, { method: "POST", body });
    expect(answer.status).toBe(200);
    await answer.text();
    expect(upstream.arrived[0]?.body.toString() === body).toBe(true);
    // And the next request is pruned as usual.
    await fetch(`${proxy.url}/v1/messages`, { method: "POST", body: makeBody() });
    expect(upstream.arrived[1]?.body.length).toBeLessThan(makeBody().length);
  });
});

test("more messages than any conversation has are not read", async () => {
  const { proxy, store } = await setStage();
  const post = async (count: number) => {
    const messages = Array.from({ length: count }, () => ({ role: "user", content: "a" }));
    const body = JSON.stringify({ model: "claude-sonnet-4-5", messages });
    await (await fetch(`${proxy.url}/v1/messages`, { method: "POST", body })).text();
  };
  await post(60_000);
  expect(await store.listSessions()).toEqual([]);
  await post(1_000);
  expect(await store.listSessions()).toHaveLength(1);
});

describe("a body that would take long to read is not read", () => {
  const withInput = (input: string) =>
    makeBody().replace(/"messages": \[/, (found) => found + callWith(input));
  const callWith = (input: string) =>
    `{"role":"assistant","content":[{"type":"tool_use","id":"c0","name":"read","input":${input}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"c0","content":"done"}]},`;
  const nest = (levels: number) => `{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`;

  test.each<[string, string, number]>([
    ["an input of 500 levels is", withInput(nest(500)), 1],
    ["brackets in a text are no levels", withInput(JSON.stringify({ a: nest(50_000) })), 1],
    ["an input of a million levels", withInput(nest(1_000_000)), 0],
    ["a million values, each of one level", withInput(`{"a":[${"[],".repeat(500_000)}[]]}`), 0],
    ["many inputs, each of 900 levels", withInput(`{"a":[${`${nest(900)},`.repeat(2_000)}1]}`), 0],
    ["tools of a million levels", makeBody().replace("{", () => `{"tools":[${nest(1_000_000)}],`), 0],
  ])("%s", async (_, body, sessions) => {
    const { upstream, proxy, store } = await setStage();
    const answer = await fetch(`${proxy.url}/v1/messages`, { method: "POST", body });
    expect(answer.status).toBe(200);
    await answer.text();
    expect(await store.listSessions()).toHaveLength(sessions);
    if (sessions === 0) expect(upstream.arrived[0]?.body.toString() === body).toBe(true);
  });
});

describe("an id of a session", () => {
  test.each<[string, string]>([
    ["that is a path", "../../../../etc/passwd"],
    ["with NUL and line breaks", "a\0b\r\nc"],
    ["that is markup", '"><script>alert(1)</script>'],
    ["that is SQL", "'; DROP TABLE coppice_sessions; --"],
    ["of an object", "__proto__"],
    ["of a megabyte", "x".repeat(1_000_000)],
    ["that is half a character", "\ud800"],
  ])("%s is only a name", async (_, id) => {
    const { upstream, proxy, store } = await setStage();
    const body = JSON.stringify({ ...JSON.parse(makeBody()), metadata: { user_id: id } });
    await (await fetch(`${proxy.url}/v1/messages`, { method: "POST", body })).text();
    expect(upstream.arrived[0]?.body.length).toBeLessThan(body.length);
    // Text of a header's length also names the session for the statistics.
    const isHeader = /^[\x20-\x7e]{1,10000}$/.test(id);
    const headers = { "x-session-id": isHeader ? id : encodeURIComponent(id.slice(0, 9_000).toWellFormed()) };
    await (await fetch(`${proxy.url}/v1/messages`, { method: "POST", headers, body })).text();
    const rows = await store.listSessions();
    expect(rows).toHaveLength(2);
    expect(rows.every((row) => row.id.length <= 220)).toBe(true);
    expect(Object.hasOwn(Object.prototype, "requests")).toBe(false);
  });
});
