import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { coppiceFetch, type FetchOptions } from "../../../src/hosts/fetch/coppice-fetch.ts";
import { memoryStore } from "../../../src/stores/memory-store.ts";
import { textOf } from "../../conversation.ts";

type Body = NonNullable<RequestInit["body"]>;
type Head = NonNullable<RequestInit["headers"]>;

let server: Server;
let url = "";
/** The received request, byte for byte. */
let bodies: Buffer[] = [];
let answer: { status: number; type: string; chunks: readonly string[] };
beforeAll(async () => {
  server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    bodies.push(Buffer.concat(chunks));
    // A kept connection may end just when a stream, which nobody can send twice, is sent over it.
    outgoing.writeHead(answer.status, {
      "content-type": answer.type,
      "x-request-id": "r1",
      connection: "close",
    });
    for (const chunk of answer.chunks) outgoing.write(chunk);
    outgoing.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const complaints: string[] = [];
beforeEach(() => {
  bodies = [];
  complaints.length = 0;
  answer = {
    status: 200,
    type: "application/json",
    chunks: [JSON.stringify({ usage: { input_tokens: 5 } })],
  };
});
const open = (options: FetchOptions = {}) =>
  coppiceFetch({
    schedule: { mode: "eager" },
    strategies: { pruneProtect: 500, pruneMinimum: 500 },
    onIssue: (_, text) => complaints.push(text),
    ...options,
  });
const post = (fetch: ReturnType<typeof open>, path: string, body: Body, headers: Head = {}) =>
  fetch(`${url}${path}`, { method: "POST", body, headers });

/** Twelve reads of three files: much of the text is repeated. */
const messages = [
  { role: "user", content: "Look." },
  ...Array.from({ length: 12 }, (_, i) => [
    {
      role: "assistant",
      content: [{ type: "tool_use", id: `t${i}`, name: "read_file", input: { path: `f${i % 3}.ts` } }],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `t${i}`, content: textOf(600, i % 3) }] },
  ]).flat(),
];
const tools = [{ name: "read_file", input_schema: { type: "object" } }];
const request = { model: "claude-sonnet-4-5", max_tokens: 10, messages, tools };

describe("a request that can be read", () => {
  test.each<[string, (text: string) => Body]>([
    ["a text", (text) => text],
    ["bytes", (text) => new TextEncoder().encode(text)],
    ["a buffer", (text) => new TextEncoder().encode(text).buffer as ArrayBuffer],
  ])("is pruned, passed as %s", async (_, toBody) => {
    await post(open(), "/v1/messages", toBody(JSON.stringify(request)));
    const sent = bodies.at(-1)?.toString() ?? "";
    expect(sent.length).toBeLessThan(0.7 * JSON.stringify(request).length);
    expect(JSON.parse(sent)).toMatchObject({ model: request.model, tools });
  });

  test("is pruned in a Request object, headers and all", async () => {
    const given = new Request(`${url}/v1/messages`, {
      method: "POST",
      body: JSON.stringify(request),
      headers: { "x-api-key": "secret" },
    });
    const response = await open()(given);
    expect(response.status).toBe(200);
    expect(bodies[0]?.length).toBeLessThan(0.7 * JSON.stringify(request).length);
  });

  test("our own tools are counted once, as Coppice's addition", async () => {
    const rows = async (more: boolean) => {
      const store = memoryStore();
      const keys: string[] = [];
      const fetch = open({ store, onReport: ({ key }) => keys.push(key) });
      const body = { ...request, tools: [...tools, ...(more ? fetch.tools.anthropic : [])] };
      await (await post(fetch, "/v1/messages", JSON.stringify(body))).text();
      const [row] = await store.readRequests(keys);
      return row?.terms.prefixTokens ?? Number.NaN;
    };
    expect(Math.abs((await rows(true)) - (await rows(false)))).toBeLessThan(60);
  });

  test("the answer comes back unchanged: bytes, status, headers, address", async () => {
    answer = { status: 201, type: "text/event-stream", chunks: ["event: a\r\n", "data: {\r\n\r\n", "ü"] };
    const response = await post(open(), "/v1/messages", JSON.stringify(request));
    expect(response.status).toBe(201);
    expect(response.url).toBe(`${url}/v1/messages`);
    expect(response.headers.get("x-request-id")).toBe("r1");
    expect(await response.text()).toBe(answer.chunks.join(""));
  });

  test("a text for which the provider holds the history: nothing is changed, and this is reported once", async () => {
    const fetch = open();
    const body = JSON.stringify({ model: "gpt-5.4", input: "go on", previous_response_id: "r_1", tools });
    for (let i = 0; i < 2; i++) await post(fetch, "/v1/responses", body);
    expect(bodies.map(String)).toEqual([body, body]);
    expect(complaints).toEqual([expect.stringContaining("previous_response_id")]);
  });
});

describe("unreadable requests are sent unchanged", () => {
  const unknown = JSON.stringify({
    ...request,
    messages: [{ role: "user", content: [{ type: "new", x: 1 }] }, 7, null],
  });
  test.each<[string, string, Body, Head?]>([
    ["JSON that was cut off", "/v1/messages", JSON.stringify(request).slice(0, -50)],
    ["a body of another interface", "/v1/messages", JSON.stringify({ model: "m", input: "hello" })],
    [
      "messages that are not a list",
      "/v1/chat/completions",
      JSON.stringify({ model: "m", messages: "hello" }),
    ],
    ["unknown blocks everywhere", "/v1/messages", unknown],
    ["another path", "/v1/embeddings", JSON.stringify(request)],
    ["a compressed body", "/v1/messages", gzipSync(JSON.stringify(request)), { "content-encoding": "gzip" }],
    ["bytes that are no UTF-8", "/v1/messages", Uint8Array.from([0x7b, 0xff, 0xfe, 0x7d])],
    ["no JSON", "/v1/messages", "hello"],
  ])("%s", async (_, path, body, headers) => {
    const response = await post(open(), path, body, headers);
    expect(response.status).toBe(200);
    expect(bodies[0]).toEqual(Buffer.from(body as string));
    expect(complaints).toEqual([]);
  });

  test("fifty megabytes are pruned or passed on, and do no harm", async () => {
    const huge = JSON.stringify({
      ...request,
      messages: [{ role: "user", content: "x".repeat(50_000_000) }],
    });
    const response = await post(open(), "/v1/messages", huge);
    expect(response.status).toBe(200);
    expect(bodies[0]?.length).toBe(huge.length);
  });

  test("a stream as a body, and a GET", async () => {
    const stream = new Blob([JSON.stringify(request)]).stream();
    const init = { method: "POST", body: stream, duplex: "half" } as RequestInit;
    expect((await open()(`${url}/v1/messages`, init)).status).toBe(200);
    expect(bodies[0]?.toString()).toBe(JSON.stringify(request));
    expect((await open()(`${url}/v1/messages`)).status).toBe(200);
  });
});

describe("if our code fails", () => {
  test("a store that is gone causes one report", async () => {
    const gone = () => Promise.reject(new Error("gone"));
    const store = { ...memoryStore(), readRequests: gone, writeRequest: gone, writeAnswer: gone };
    const fetch = open({ store });
    for (let i = 0; i < 3; i++) await (await post(fetch, "/v1/messages", JSON.stringify(request))).text();
    expect(bodies.every((body) => body.length < 0.7 * JSON.stringify(request).length)).toBe(true);
    expect(complaints).toEqual([expect.stringContaining("gone")]);
  });

  test("a listener that throws does no harm", async () => {
    const fetch = open({
      clock: () => {
        throw new Error("no clock");
      },
      onIssue: () => {
        throw new Error("no ears");
      },
    });
    await post(fetch, "/v1/messages", JSON.stringify(request));
    expect(bodies[0]?.toString()).toBe(JSON.stringify(request));
  });

  test("options of the wrong kind are reported, and the rest is used", async () => {
    const fetch = open({ shadow: "yes" as unknown as boolean });
    await post(fetch, "/v1/messages", JSON.stringify(request));
    expect(bodies[0]?.length).toBeLessThan(0.7 * JSON.stringify(request).length);
    expect(complaints).toEqual([expect.stringContaining("shadow")]);
  });

  test("off and shadow change nothing, and offer no tools", async () => {
    for (const options of [{ enabled: false }, { shadow: true }]) {
      bodies = [];
      const fetch = open(options);
      await post(fetch, "/v1/messages", JSON.stringify(request));
      expect(bodies[0]?.toString()).toBe(JSON.stringify(request));
      expect(fetch.tools.anthropic).toEqual([]);
    }
  });
});
