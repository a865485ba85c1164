import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createPruner } from "../../../src/pruner.ts";
import { memoryStore } from "../../../src/stores/memory-store.ts";
import { anthropicMessagesWire } from "../../../src/wires/anthropic-messages.ts";
import { makeBody } from "./bodies.ts";
import { EAGER, post, setStage } from "./stage.ts";
import { EVENTS, respondWithEvents } from "./upstream.ts";

describe("a request to a model", () => {
  test("is sent byte for byte if nothing is cut, with its headers in order", async () => {
    const { upstream, proxy } = await setStage();
    const body = makeBody(1);
    const headers = [
      "X-Api-Key",
      "sk-1",
      "anthropic-beta",
      "a",
      "Anthropic-Version",
      "2023-06-01",
      "anthropic-beta",
      "b",
    ];
    const answer = await post(`${proxy.url}/v1/messages?beta=true`, headers, body);
    const [request] = upstream.arrived;
    expect(request?.body.toString()).toBe(body);
    expect(request?.path).toBe("/v1/messages?beta=true");
    const passed = request?.rawHeaders.filter(
      (_, i, all) => !/^(host|connection)$/i.test(all[i - (i % 2)] ?? ""),
    );
    expect(passed).toEqual([...headers, "content-length", String(body.length)]);
    expect(request?.headers.host).toBe(new URL(upstream.url).host);
    expect(answer.body).toBe(EVENTS.join(""));
    expect(answer.rawHeaders).toContain("x-request-id");
  });

  test("is sent with the cuts of `prune`, and nothing else changed", async () => {
    const { upstream, proxy } = await setStage();
    const body = makeBody();
    await post(`${proxy.url}/v1/messages`, [], body);
    const sent = upstream.arrived[0]?.body.toString() ?? "";
    const read = anthropicMessagesWire.read(body, "/v1/messages");
    if (!read) throw new Error("not read");
    const { messages, sources } = createPruner({ config: EAGER, showsRefs: false }).prune(read.messages, {
      format: "anthropic-messages",
      model: "claude-sonnet-4-5",
      prefixTokens: read.prefixTokens,
      at: Date.now(),
    });
    expect(sent).toBe(anthropicMessagesWire.write(read, messages, sources));
    expect(sent.length).toBeLessThan(0.7 * body.length);
    expect(upstream.arrived[0]?.headers["content-length"]).toBe(String(Buffer.byteLength(sent)));
  });

  test("names refs in its markers only if the agent has the tools to recall them", async () => {
    const { upstream, proxy } = await setStage();
    const given = JSON.parse(makeBody());
    const info = { name: "mcp__coppice__context_info", input_schema: { type: "object" } };
    for (const tools of [given.tools, [...given.tools, info]])
      await post(`${proxy.url}/v1/messages`, [], JSON.stringify({ ...given, tools }));
    const [without = "", withTools = ""] = upstream.arrived.map(({ body }) => body.toString());
    expect(without).toMatch(/\[superseded: [^\]·]+\]/);
    expect(without).not.toMatch(/\b[0-9a-f]{6}\]/);
    expect(withTools).toMatch(/\[superseded: [^\]]+ · [0-9a-f]{6}\]/);
  });

  test.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ] as const)("is read if it is packed with %s", async (encoding, pack) => {
    const { upstream, proxy } = await setStage();
    const short = pack(makeBody(1));
    await post(`${proxy.url}/v1/messages`, ["content-encoding", encoding], short);
    expect(upstream.arrived[0]?.body).toEqual(short);
    expect(upstream.arrived[0]?.headers["content-encoding"]).toBe(encoding);
    await post(`${proxy.url}/v1/messages`, ["content-encoding", encoding], pack(makeBody()));
    expect(upstream.arrived[1]?.headers["content-encoding"]).toBeUndefined();
    expect(JSON.parse(upstream.arrived[1]?.body.toString() ?? "")).toMatchObject({ max_tokens: 10 });
  });

  test("that the provider refuses when pruned is sent again unchanged, and its conversation is no longer pruned", async () => {
    const body = makeBody();
    const store = memoryStore();
    const { upstream, proxy, complaints } = await setStage(
      (request, outgoing) => {
        const isOriginal = request.body.length >= Buffer.byteLength(body);
        const usage = { input_tokens: 7_000, output_tokens: 4 };
        outgoing.writeHead(isOriginal ? 200 : 400, { "content-type": "application/json" });
        outgoing.end(JSON.stringify(isOriginal ? { type: "message", usage } : { error: { message: "no" } }));
      },
      { store },
    );
    expect((await post(`${proxy.url}/v1/messages`, [], body)).status).toBe(200);
    expect(upstream.arrived.map((each) => each.body.length)).toEqual([expect.any(Number), body.length]);
    expect(complaints.join()).toMatch(/refused a pruned request.*"no"/);
    // Nothing was saved by it.
    const [row] = await store.listSessions();
    expect(row).toMatchObject({ answered: 1, cuts: 0, tokensWith: row?.tokensWithout });
    expect(row?.tokensWith).toBeGreaterThan(0);
    await post(`${proxy.url}/v1/messages`, [], makeBody(13));
    expect(upstream.arrived[2]?.body.toString()).toBe(makeBody(13));
  });

  test.each([
    ["nothing is added", []],
    ["only refs are added", [{ name: "mcp__coppice__context_info", input_schema: { type: "object" } }]],
  ])("that the provider refuses is sent once if nothing was cut: %s", async (_, tools) => {
    const { upstream, proxy, complaints } = await setStage((_request, outgoing) => {
      outgoing.writeHead(400, { "content-type": "application/json" });
      outgoing.end('{"error":{"message":"no such model"}}');
    });
    const { tools: given, ...rest } = JSON.parse(makeBody(1));
    const body = JSON.stringify({ ...rest, tools: [...given, ...tools] });
    const answer = await post(`${proxy.url}/v1/messages`, [], body);
    expect(answer).toMatchObject({ status: 400, body: expect.stringContaining("no such model") });
    expect(upstream.arrived).toHaveLength(1);
    expect(upstream.arrived[0]?.body.includes("<tool_hash>")).toBe(tools.length > 0);
    expect(complaints).toEqual([]);
  });

  test("counts for its session and its day when it is answered", async () => {
    const store = memoryStore();
    const { proxy } = await setStage(respondWithEvents, { store, client: "claude" });
    await post(`${proxy.url}/v1/messages`, ["x-claude-code-session-id", "s/../1"], makeBody());
    const [row] = await store.listSessions();
    expect(row).toMatchObject({ id: "s/../1", client: "claude", requests: 1, answered: 1, cuts: 1 });
    expect(row?.tokensWith).toBeLessThan(row?.tokensWithout ?? 0);
    expect(await store.listDays()).toHaveLength(1);
  });
});

describe("requests that can't be pruned are passed on", () => {
  test.each([
    ["no JSON", Buffer.from("{")],
    ["no UTF-8", Buffer.from([0x7b, 0xff, 0xfe])],
    ["nothing", Buffer.alloc(0)],
  ])("%s", async (_, body) => {
    const { upstream, proxy } = await setStage();
    expect((await post(`${proxy.url}/v1/messages`, [], body)).status).toBe(200);
    expect(upstream.arrived[0]?.body).toEqual(body);
  });

  test("a body that is too large to hold, announced or not", async () => {
    const { upstream, proxy } = await setStage(respondWithEvents, { largestBody: 10_000 });
    const body = makeBody();
    await post(`${proxy.url}/v1/messages`, [], body);
    await fetch(`${proxy.url}/v1/messages`, {
      method: "POST",
      body: new Blob([body]).stream(),
      duplex: "half",
    } as RequestInit);
    expect(upstream.arrived.map((each) => each.body.toString())).toEqual([body, body]);
  });

  test("other paths and methods", async () => {
    const { upstream, proxy } = await setStage((_, outgoing) => void outgoing.writeHead(204).end());
    expect((await fetch(`${proxy.url}/v1/models?limit=3`)).status).toBe(204);
    expect((await fetch(`${proxy.url}/backend-api/x`, { method: "PUT", body: "abc" })).status).toBe(204);
    expect(upstream.arrived.map(({ method, path, body }) => [method, path, body.toString()])).toEqual([
      ["GET", "/v1/models?limit=3", ""],
      ["PUT", "/backend-api/x", "abc"],
    ]);
  });
});

describe("trouble", () => {
  test("a provider that can't be reached is named", async () => {
    const { proxy } = await setStage(respondWithEvents, { upstreams: { anthropic: "http://127.0.0.1:1" } });
    const answer = await post(`${proxy.url}/v1/messages`, [], makeBody(1));
    expect(answer.status).toBe(502);
    expect(answer.body).toMatch(/can't reach http:\/\/127\.0\.0\.1:1/);
  });

  test("if HTTPS_PROXY is set, requests go through it, except to hosts in NO_PROXY", async () => {
    const asked: string[] = [];
    const gateway = createServer().on("connect", ({ url }, socket) => {
      asked.push(String(url));
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    });
    await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void gateway.close());
    vi.stubEnv("HTTPS_PROXY", `http://user:secret@127.0.0.1:${(gateway.address() as AddressInfo).port}`);
    vi.stubEnv("NO_PROXY", "127.0.0.1");
    onTestFinished(() => void vi.unstubAllEnvs());
    const openai = "https://provider.invalid";
    const { upstream, proxy } = await setStage(respondWithEvents, { upstreams: { openai } });
    const answer = await post(`${proxy.url}/v1/chat/completions`, [], makeBody(1));
    expect(answer.status).toBe(502);
    expect(answer.body).not.toContain("secret");
    expect(asked).toEqual(["provider.invalid:443"]);
    const direct = await setStage(respondWithEvents);
    expect((await post(`${direct.proxy.url}/v1/messages`, [], makeBody(1))).status).toBe(200);
    expect(upstream.arrived).toEqual([]);
  });

  test("an answer that breaks off breaks off for the client", async () => {
    const { proxy } = await setStage(async (_, outgoing) => {
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      outgoing.write(EVENTS[0]);
      await new Promise((resolve) => setTimeout(resolve, 20));
      outgoing.destroy();
    });
    await expect(post(`${proxy.url}/v1/messages`, [], makeBody(1))).rejects.toThrow(/aborted|hang up/);
  });

  test("a client that disconnects ends its request at the provider", async () => {
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const { proxy } = await setStage((_, outgoing) => {
      outgoing.writeHead(200).write("x");
      outgoing.on("close", () => end());
    });
    const gone = new AbortController();
    const response = await fetch(`${proxy.url}/v1/messages`, {
      method: "POST",
      body: makeBody(1),
      signal: gone.signal,
    });
    expect(response.status).toBe(200);
    gone.abort();
    await ended;
  });

  test("a WebSocket to a model is answered 426", async () => {
    const { proxy } = await setStage();
    const socket = connect(proxy.port, "127.0.0.1");
    socket.write(
      `GET /v1/responses HTTP/1.1\r\nHost: 127.0.0.1:${proxy.port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    );
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 426 /);
  });

  test("it does not listen beyond this machine without a token", async () => {
    await expect(setStage(respondWithEvents, { host: "0.0.0.0" })).rejects.toThrow(/set a token/);
  });
});
