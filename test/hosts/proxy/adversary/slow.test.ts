import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { makeBody } from "../bodies.ts";
import { EVENTS, type Respond } from "../upstream.ts";
import { openSocket, postText, setStage } from "./stage.ts";

const HUGE = 300_000_000;
const CHUNK = Buffer.alloc(64_000, "x");
const BODY = makeBody(1);
const REQUEST = postText("/v1/messages", ["host: 127.0.0.1"], BODY);

/** Sends a huge answer as fast as it is read, and returns how much was. */
function pourOut(): { readonly respond: Respond; readonly poured: () => number } {
  let poured = 0;
  const pour = (outgoing: ServerResponse): void => {
    while (poured < HUGE && !outgoing.destroyed) {
      poured += CHUNK.length;
      if (!outgoing.write(CHUNK)) {
        outgoing.once("drain", () => pour(outgoing));
        return;
      }
    }
    outgoing.end();
  };
  return {
    respond: (_, outgoing) => {
      outgoing.writeHead(200, { "content-type": "text/event-stream" });
      pour(outgoing);
    },
    poured: () => poured,
  };
}

/** Until it is the same for some time. */
async function settle(read: () => number): Promise<number> {
  for (let last = -1; ; ) {
    const now = read();
    if (now === last && now > 0) return now;
    last = now;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

test("a client that does not read makes the provider wait; nothing accumulates, and nobody else waits", async () => {
  const { respond, poured } = pourOut();
  const { proxy } = await setStage((request, outgoing) =>
    request.headers["x-quick"] ? void outgoing.writeHead(200).end("quick") : respond(request, outgoing),
  );
  const before = process.memoryUsage.rss();
  const socket = await openSocket(proxy.port);
  socket.pause();
  socket.write(REQUEST);
  expect(await settle(poured)).toBeLessThan(HUGE / 10);
  expect(process.memoryUsage.rss() - before).toBeLessThan(HUGE / 3);
  const quick = await fetch(`${proxy.url}/v1/messages`, {
    method: "POST",
    headers: { "x-quick": "1" },
    body: BODY,
  });
  expect(await quick.text()).toBe("quick");
  // It reads a little: only that much more is requested.
  const stalled = poured();
  socket.read(1);
  expect(await settle(poured)).toBeLessThan(stalled + HUGE / 10);
  // It disconnects: the data for it is released, and so is the provider.
  socket.destroy();
  await settle(poured);
  expect(poured()).toBeLessThan(HUGE / 5);
});

test("a client that sends slowly keeps nobody waiting, and is served in the end", async () => {
  const { upstream, proxy } = await setStage();
  const slow = await openSocket(proxy.port);
  const at = REQUEST.length - 3;
  slow.write(REQUEST.slice(0, 20));
  for (const i of [20, 21, 22]) {
    slow.write(REQUEST.slice(i, i + 1));
    const quick = await fetch(`${proxy.url}/v1/messages`, { method: "POST", body: BODY });
    expect(await quick.text()).toBe(EVENTS.join(""));
  }
  slow.write(REQUEST.slice(23, at));
  for (const sign of REQUEST.slice(at)) {
    expect((await fetch(`${proxy.url}/healthz`)).status).toBe(200);
    slow.write(sign);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of slow) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 200 /);
  expect(upstream.arrived.at(-1)?.body.toString()).toBe(BODY);
});

test("many silent connections: no more than allowed, and existing ones are served", async () => {
  const { proxy } = await setStage(undefined, { mostConnections: 50 });
  const sockets = await Promise.all(
    Array.from({ length: 80 }, async () => {
      const socket = await openSocket(proxy.port);
      let isClosed = false;
      socket.on("error", () => {});
      socket.on("close", () => {
        isClosed = true;
      });
      return { socket, isOpen: () => !isClosed };
    }),
  );
  await expect.poll(() => sockets.filter(({ isOpen }) => isOpen()).length).toBe(50);
  const first = sockets.find(({ isOpen }) => isOpen())?.socket;
  first?.write(REQUEST);
  const [chunk] = first ? await once(first, "data") : [];
  expect(String(chunk)).toMatch(/^HTTP\/1\.1 200 /);
  for (const { socket } of sockets) socket.destroy();
  await expect
    .poll(() =>
      fetch(`${proxy.url}/healthz`).then(
        (answer) => answer.status,
        () => 0,
      ),
    )
    .toBe(200);
});

test("a connection that never gets as far as a request is closed; one that waits for its answer is not", async () => {
  const { proxy } = await setStage(
    async (_, outgoing) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      outgoing.writeHead(200).end("late");
    },
    { headerPatience: 200 },
  );
  const late = fetch(`${proxy.url}/v1/messages`, { method: "POST", body: BODY });
  const silent = await openSocket(proxy.port);
  const slow = await openSocket(proxy.port);
  slow.write("POST /v1/messages HTTP/1.1\r\nhost: 127");
  for (const socket of [silent, slow]) {
    socket.resume().on("error", () => {});
    await expect.poll(() => socket.destroyed).toBe(true);
  }
  expect(await (await late).text()).toBe("late");
});

test("clients that disconnect at any moment leave nothing behind", async () => {
  let open = 0;
  const { proxy } = await setStage((_, outgoing) => {
    open++;
    outgoing.on("close", () => open--);
    outgoing.writeHead(200, { "content-type": "text/event-stream" }).write(EVENTS[0]);
    // And never ends.
  });
  for (let cut = 10; cut < REQUEST.length; cut += Math.ceil(REQUEST.length / 12)) {
    const socket = await openSocket(proxy.port);
    socket.write(REQUEST.slice(0, cut));
    await new Promise((resolve) => setTimeout(resolve, 5));
    socket.resetAndDestroy();
  }
  for (let i = 0; i < 10; i++) {
    const socket = await openSocket(proxy.port);
    socket.write(REQUEST);
    if (i % 2 === 0) await once(socket, "data");
    socket.resetAndDestroy();
  }
  await expect.poll(() => open).toBe(0);
  expect((await fetch(`${proxy.url}/healthz`)).status).toBe(200);
});
