import { describe, expect, test } from "vitest";
import { makeBody } from "../bodies.ts";
import { EVENTS } from "../upstream.ts";
import { postText, sendRaw, setStage } from "./stage.ts";

const BODY = makeBody(1);
const CHUNKED = `${Buffer.byteLength(BODY).toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
const SMUGGLED = "GET /smuggled HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";

function head(...lines: readonly string[]): string {
  return ["POST /v1/messages HTTP/1.1", "host: 127.0.0.1", ...lines, "", ""].join("\r\n");
}

describe("a request whose end is ambiguous is never passed on as two", () => {
  test.each<[string, string]>([
    [
      "a length and chunks",
      head(`content-length: ${BODY.length}`, "transfer-encoding: chunked") + CHUNKED + SMUGGLED,
    ],
    ["chunks and a length", head("transfer-encoding: chunked", "content-length: 4") + CHUNKED + SMUGGLED],
    ["two lengths", head(`content-length: ${BODY.length}`, "content-length: 0") + BODY + SMUGGLED],
    ["two lengths in one", head(`content-length: ${BODY.length}, 0`) + BODY + SMUGGLED],
    ["a length with a sign", head(`content-length: +${BODY.length}`) + BODY + SMUGGLED],
    ["chunks, and something else last", head("transfer-encoding: chunked, identity") + CHUNKED + SMUGGLED],
    ["an unknown coding", head("transfer-encoding: xchunked") + CHUNKED + SMUGGLED],
    ["a blank before the colon", head(`content-length : ${BODY.length}`) + BODY + SMUGGLED],
    ["a line that goes on in the next", head("x-a: b", "\ttransfer-encoding: chunked") + CHUNKED + SMUGGLED],
    ["a carriage return in a value", head("x-a: b\rtransfer-encoding: chunked") + CHUNKED + SMUGGLED],
    ["a line feed in a value", head("x-a: b\nx-b: c\n\nGET /smuggled HTTP/1.1") + SMUGGLED],
    ["NUL in a value", head("x-a: b\0c") + SMUGGLED],
    [
      "chunks with a wrong size",
      `${head("transfer-encoding: chunked")}zz\r\n${BODY}\r\n0\r\n\r\n${SMUGGLED}`,
    ],
    ["a size with an endless extension", `${head("transfer-encoding: chunked")}1;${"x".repeat(70_000)}\r\n`],
  ])("%s", async (_, text) => {
    const { upstream, proxy } = await setStage();
    const answer = await sendRaw(proxy.port, text);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(upstream.arrived.filter(({ path }) => path !== "/v1/messages")).toEqual([]);
    // The next client is served.
    expect((await fetch(`${proxy.url}/v1/messages`, { method: "POST", body: BODY })).status).toBe(200);
    expect(upstream.arrived.at(-1)?.body.toString()).toBe(BODY);
  });
});

describe("headers", () => {
  test("about the connection only are removed, and so are those that they name, in every line", async () => {
    const { upstream, proxy } = await setStage();
    const headers = [
      "host: 127.0.0.1",
      "connection: x-one, Host",
      "Connection: X-Two",
      "x-one: 1",
      "x-two: 2",
      "x-three: 3",
      "te: trailers",
      "keep-alive: timeout=5",
      "proxy-authorization: Basic c2VjcmV0",
      "proxy-connection: keep-alive",
      "trailer: x-end",
    ];
    await sendRaw(proxy.port, postText("/v1/messages", headers, BODY));
    const names = Object.keys(upstream.arrived[0]?.headers ?? {});
    expect(names.sort()).toEqual(["connection", "content-length", "host", "x-three"]);
    expect(upstream.arrived[0]?.headers.host).toBe(new URL(upstream.url).host);
    expect(upstream.arrived[0]?.body.toString()).toBe(BODY);
  });

  test("a length that the connection is to hide is still the body's", async () => {
    const { upstream, proxy } = await setStage();
    const text = `${head("connection: content-length, close", `content-length: ${BODY.length}`)}${BODY}`;
    expect(await sendRaw(proxy.port, text)).toMatch(/^HTTP\/1\.1 200 /);
    expect(upstream.arrived.map(({ body }) => body.toString())).toEqual([BODY]);
  });

  test("that are too many bytes are answered 431, and others are served", async () => {
    const { upstream, proxy } = await setStage();
    const answer = await sendRaw(proxy.port, head(`x-api-key: ${"k".repeat(100_000)}`));
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(upstream.arrived).toEqual([]);
    expect((await fetch(`${proxy.url}/healthz`)).status).toBe(200);
  });

  test("of a long login are passed on", async () => {
    const { upstream, proxy } = await setStage();
    const key = "k".repeat(30_000);
    await sendRaw(proxy.port, postText("/v1/messages", ["host: 127.0.0.1", `x-api-key: ${key}`], BODY));
    expect(upstream.arrived[0]?.headers["x-api-key"] === key).toBe(true);
  });

  test("with bytes beyond ASCII are passed on unchanged, both ways", async () => {
    const { upstream, proxy } = await setStage((_, outgoing) => {
      outgoing.writeHead(200, { "x-name": "Gr\u00c3\u00bc\u00df\u00e9" }).end();
    });
    const text = postText("/v1/messages", ["host: 127.0.0.1", "x-name: Gr\u00c3\u00bc\u00df\u00e9"], BODY);
    const answer = await sendRaw(proxy.port, Buffer.from(text, "latin1"));
    expect(upstream.arrived[0]?.headers["x-name"]).toBe("Gr\u00c3\u00bc\u00df\u00e9");
    expect(answer).toContain("x-name: Gr\u00c3\u00bc\u00df\u00e9\r\n");
  });
});

describe("the destination of a request", () => {
  test.each([
    ["/v1/../../../etc/passwd"],
    ["/v1/%2e%2e/%2E%2E/x"],
    ["//evil.example/v1/messages"],
    ["/\\\\evil.example/v1/messages"],
    ["/anthropic//evil.example/v1/messages"],
    ["/anthropic/@evil.example/v1/messages"],
    ["/v1%2F..%2Fmessages"],
    ["/v1/messages;x?a=|{}&b=%zz#c"],
    ["/~x//evil.example/"],
    ["http://evil.example/v1/messages"],
    ["http://evil.example@127.0.0.1:1/"],
    ["//"],
  ])("%s stays at its provider, unchanged", async (path) => {
    const { upstream, proxy } = await setStage();
    const answer = await sendRaw(proxy.port, postText(path, ["host: 127.0.0.1"], BODY));
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    const expected = path.replace(/^\/(?:anthropic|~x)(?=\/)/, "").replace(/^http:/, "/http:");
    expect(upstream.arrived.map((each) => each.path)).toEqual([expected]);
    expect(upstream.arrived[0]?.body.toString()).toBe(BODY);
  });

  test("CONNECT opens no tunnel", async () => {
    const { upstream, proxy } = await setStage();
    const target = new URL(upstream.url).host;
    const answer = await sendRaw(
      proxy.port,
      `CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n\r\nGET / HTTP/1.1\r\nhost: x\r\n\r\n`,
    );
    expect(answer).not.toMatch(/ 200 /);
    expect(upstream.arrived).toEqual([]);
  });

  test.each(["TRACE", "DELETE", "OPTIONS", "PROPFIND"])("%s goes to the provider, once", async (method) => {
    const { upstream, proxy } = await setStage((_, outgoing) => void outgoing.writeHead(405).end());
    const answer = await sendRaw(
      proxy.port,
      `${method} /v1/messages HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(upstream.arrived.map((each) => each.method)).toEqual([method]);
  });
});

describe("more than one host is refused", () => {
  test.each<[string, readonly string[]]>([
    ["another one", ["host: evil.example"]],
    ["the same again", ["Host: 127.0.0.1"]],
    ["another one, with an upgrade", ["HOST: evil.example", "connection: upgrade", "upgrade: websocket"]],
  ])("%s", async (_, more) => {
    const { upstream, proxy } = await setStage();
    for (const path of ["/v1/messages", "/openai/v1/realtime", "/metrics"]) {
      const text = [`GET ${path} HTTP/1.1`, "host: 127.0.0.1", ...more, "", ""].join("\r\n");
      const closed = more.length > 1 ? text : text.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n");
      expect(await sendRaw(proxy.port, closed)).toMatch(/^HTTP\/1\.1 400 /);
    }
    expect(upstream.arrived).toEqual([]);
  });
});

describe("old and rare forms of requests", () => {
  test("HTTP/1.0, without a host: an answer without chunks", async () => {
    const { upstream, proxy } = await setStage();
    const text = `POST /v1/messages HTTP/1.0\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`;
    const answer = await sendRaw(proxy.port, text);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).not.toMatch(/^transfer-encoding/im);
    expect(answer.split("\r\n\r\n").slice(1).join("\r\n\r\n")).toBe(EVENTS.join(""));
    expect(upstream.arrived.map(({ body }) => body.toString())).toEqual([BODY]);
  });

  test("trailers: the body is passed on, they are not", async () => {
    const { upstream, proxy } = await setStage();
    const text = head("transfer-encoding: chunked", "trailer: x-end", "connection: close");
    const chunks = CHUNKED.replace(/0\r\n\r\n$/, "0\r\nx-end: 1\r\n\r\n");
    expect(await sendRaw(proxy.port, text + chunks)).toMatch(/^HTTP\/1\.1 200 /);
    expect(upstream.arrived[0]?.body.toString()).toBe(BODY);
    expect(JSON.stringify(upstream.arrived[0]?.rawHeaders)).not.toContain("x-end");
  });

  test("several requests at once on one connection are answered in their order", async () => {
    const { upstream, proxy } = await setStage(async (request, outgoing) => {
      // The first takes longest.
      const id = Number(request.headers["x-n"]);
      await new Promise((resolve) => setTimeout(resolve, 60 - 20 * id));
      outgoing.writeHead(200, { "x-answer": String(id) }).end(`body ${id}`);
    });
    const texts = [0, 1, 2].map((n) => {
      const text = postText("/v1/messages", ["host: 127.0.0.1", `x-n: ${n}`], makeBody(n + 1));
      return n === 2 ? text : text.replace("connection: close\r\n", "");
    });
    const answer = await sendRaw(proxy.port, texts.join(""));
    expect([...answer.matchAll(/x-answer: (\d)/g)].map(([, n]) => n)).toEqual(["0", "1", "2"]);
    expect(upstream.arrived.map(({ body }) => body.toString()).sort()).toEqual(
      [1, 2, 3].map((n) => makeBody(n)).sort(),
    );
  });

  test("an expectation is answered, and the body is passed on", async () => {
    const { upstream, proxy } = await setStage();
    const answer = await sendRaw(
      proxy.port,
      postText("/v1/messages", ["host: 127.0.0.1", "expect: 100-continue"], BODY),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    expect(upstream.arrived[0]?.body.toString()).toBe(BODY);
  });
});
