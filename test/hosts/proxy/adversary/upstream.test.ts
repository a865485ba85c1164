import { once } from "node:events";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { makeBody } from "../bodies.ts";
import { EVENTS, respondWithEvents } from "../upstream.ts";
import { HUGE_WINDOW, packZstd, zstdBomb } from "../zstd.ts";
import { startRawUpstream } from "./raw-upstream.ts";
import { openSocket, postText, sendRaw, setStage } from "./stage.ts";

const REQUEST = postText("/v1/messages", ["host: 127.0.0.1", "x-api-key: sk-secret"], makeBody(1));

async function askAgainst(answer: string | Buffer): Promise<string> {
  const anthropic = await startRawUpstream((socket) => socket.end(answer));
  const { proxy } = await setStage(undefined, { upstreams: { anthropic } });
  const came = await sendRaw(proxy.port, REQUEST);
  expect((await fetch(`${proxy.url}/healthz`)).status).toBe(200);
  return came;
}

describe("an invalid answer is reported as an error of the provider, without any sent data", () => {
  test.each<[string, string]>([
    ["garbage", "\x16\x03\x01 no HTTP at all, sk-secret \r\n\r\n"],
    ["nothing", ""],
    ["half a head", "HTTP/1.1 200 OK\r\ncontent-ty"],
    ["a head without an end", `HTTP/1.1 200 OK\r\nx-a: ${"a".repeat(200_000)}`],
    [
      "a length and chunks",
      "HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\nabc"],
    [
      "another protocol, unasked",
      "HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
    ],
    ["an invalid status", "HTTP/1.1 20 OK\r\n\r\n"],
  ])("%s", async (_, answer) => {
    const came = await askAgainst(answer);
    expect(came).toMatch(/^HTTP\/1\.1 502 [\s\S]*can't reach http:\/\/127\.0\.0\.1:\d+: /);
    expect(came).not.toContain("sk-secret");
    expect(came.length).toBeLessThan(1_000);
  });
});

test("bytes before an answer are not mistaken for it", async () => {
  const came = await askAgainst(
    "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok",
  );
  expect(came).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nok$/);
});

test.each<[string, string]>([
  ["chunks that break off", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n9\r\nde"],
  ["chunks of a wrong size", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\nde"],
  ["less than was said", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc"],
])("an answer that breaks (%s) also breaks for the client, after the received part", async (_, answer) => {
  const came = await askAgainst(answer);
  expect(came).toMatch(/^HTTP\/1\.1 200 OK/);
  expect(came).toContain("abc");
  expect(came).not.toMatch(/\r\n0\r\n\r\n$/);
});

test("packed data that is broken, or a bomb, is passed on unchanged; its cost is unknown", async () => {
  const plain = Buffer.from(EVENTS.join(""));
  const packed = gzipSync(plain);
  const answers = [
    { encoding: "gzip", bytes: packed, isKnown: true },
    { encoding: "gzip", bytes: packed.subarray(0, 60), isKnown: false },
    { encoding: "gzip", bytes: Buffer.from("no gzip"), isKnown: false },
    { encoding: "gzip", bytes: gzipSync(Buffer.alloc(50_000_000)), isKnown: false },
    { encoding: "zstd", bytes: packZstd(plain), isKnown: true },
    { encoding: "zstd", bytes: packZstd(plain).subarray(0, 60), isKnown: false },
    { encoding: "zstd", bytes: Buffer.from("no zstd"), isKnown: false },
    { encoding: "zstd", bytes: HUGE_WINDOW, isKnown: false },
    { encoding: "zstd", bytes: zstdBomb(1_000), isKnown: false },
    { encoding: "zstd", bytes: Buffer.alloc(20_000_000), isKnown: false },
  ];
  for (const { encoding, bytes, isKnown } of answers) {
    const { proxy, store } = await setStage((_, outgoing) => {
      outgoing.writeHead(200, { "content-encoding": encoding, "content-length": bytes.length }).end(bytes);
    });
    const answer = Buffer.from(await sendRaw(proxy.port, REQUEST), "latin1");
    expect(answer.subarray(answer.indexOf("\r\n\r\n") + 4).equals(bytes)).toBe(true);
    await expect.poll(async () => (await store.listSessions()).length).toBe(isKnown ? 1 : 0);
  }
});

test("a provider that never answers is disconnected when its client leaves", async () => {
  let open = 0;
  const anthropic = await startRawUpstream((socket) => {
    open++;
    socket.on("close", () => open--);
  });
  const { proxy } = await setStage(undefined, { upstreams: { anthropic } });
  const clients = await Promise.all(Array.from({ length: 20 }, () => openSocket(proxy.port)));
  for (const client of clients) client.write(REQUEST);
  await expect.poll(() => open).toBe(20);
  for (const client of clients) client.destroy();
  await expect.poll(() => open).toBe(0);
});

test("a refusal that never ends is not awaited: the original is sent", async () => {
  const body = makeBody();
  const { proxy, complaints } = await setStage((request, outgoing) => {
    if (request.body.length >= Buffer.byteLength(body)) return respondWithEvents(request, outgoing);
    outgoing.writeHead(400, { "content-type": "application/json" });
    const go = (): void => {
      while (!outgoing.destroyed && outgoing.write("no ".repeat(10_000)));
      outgoing.once("drain", go);
    };
    go();
  });
  const came = await sendRaw(proxy.port, postText("/v1/messages", ["host: 127.0.0.1"], body));
  expect(came).toMatch(/^HTTP\/1\.1 200 /);
  expect(complaints.join()).toMatch(/refused a pruned request/);
  expect(complaints.join().length).toBeLessThan(1_000);
});

test.each<[string, Buffer, string]>([
  ["gzip", gzipSync('{"error":"a field is missing"}'), "a field is missing"],
  ["zstd", packZstd(Buffer.from('{"error":"a field is missing"}')), "a field is missing"],
  ["gzip", Buffer.from("\u001b[2Jno gzip"), "the message can't be read"],
  ["identity", Buffer.from("\u001b[2J\r\nno\u0007"), "[2J no "],
])("a refusal in %s is reported as text that a terminal can show", async (encoding, bytes, words) => {
  const body = makeBody();
  const { proxy, complaints } = await setStage((request, outgoing) => {
    if (request.body.length >= Buffer.byteLength(body)) return respondWithEvents(request, outgoing);
    outgoing.writeHead(400, { "content-encoding": encoding }).end(bytes);
  });
  const came = await sendRaw(proxy.port, postText("/v1/messages", ["host: 127.0.0.1"], body));
  expect(came).toMatch(/^HTTP\/1\.1 200 /);
  expect(complaints.join()).toContain(words);
  expect(complaints.join()).not.toMatch(/\p{Cc}|\ufffd/u);
});

describe("another protocol", () => {
  const UPGRADE =
    "GET /other HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\nx-api-key: k\r\n\r\n";

  test("is spoken through, both ways", async () => {
    const openai = await startRawUpstream((socket) => {
      socket.write(
        "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\nhello",
      );
      socket.once("data", (chunk: Buffer) => socket.end(`you said ${chunk}`));
    });
    const { proxy } = await setStage(undefined, { upstreams: { openai } });
    const socket = await openSocket(proxy.port);
    let came = "";
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      came += chunk;
    });
    socket.write(UPGRADE);
    await expect.poll(() => came).toMatch(/^HTTP\/1\.1 101 [\s\S]*\r\n\r\nhello$/);
    socket.write("abc");
    await expect.poll(() => came).toMatch(/helloyou said abc$/);
  });

  test("a client that disconnects in the middle of it affects nobody else", async () => {
    let asked = 0;
    const openai = await startRawUpstream(() => {
      asked++;
    });
    const { proxy } = await setStage(undefined, { upstreams: { openai } });
    for (let i = 1; i <= 3; i++) {
      const socket = await openSocket(proxy.port);
      socket.write(UPGRADE);
      await expect.poll(() => asked).toBe(i);
      socket.resetAndDestroy();
    }
    expect((await fetch(`${proxy.url}/healthz`)).status).toBe(200);
  });

  test("does not keep the proxy from ending", async () => {
    const openai = await startRawUpstream((socket) => {
      socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n");
    });
    const { proxy } = await setStage(undefined, { upstreams: { openai } });
    const socket = await openSocket(proxy.port);
    socket.write(UPGRADE);
    await once(socket, "data");
    await proxy.close(50);
    await expect.poll(() => socket.destroyed).toBe(true);
  });

  test.each([
    ["of a foreign page", "", "origin: https://evil.example"],
    ["of a name bent to us", "evil.example", "x-a: b"],
  ])("%s is refused", async (_, host, header) => {
    const { upstream, proxy } = await setStage();
    const text = UPGRADE.replace("x-api-key: k", header).replace("127.0.0.1", host || "127.0.0.1");
    expect(await sendRaw(proxy.port, text)).toMatch(/^HTTP\/1\.1 403 /);
    expect(upstream.arrived).toEqual([]);
  });
});
