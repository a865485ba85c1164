import { createHash } from "node:crypto";
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { anthropic } from "../provider/anthropic.ts";
import { CachedPrefixes } from "../provider/cached-prefixes.ts";
import type { Received } from "../provider/provider.ts";
import { findRefusal } from "../provider/refusals.ts";

// A provider in its own process. It records requests, and answers slowly.
//   node provider-main.mjs PORT LOG
const [port, log = ""] = process.argv.slice(2);
const cache = new CachedPrefixes();
let serial = 0;

createServer(async (incoming, outgoing) => {
  if (incoming.method === "GET") {
    outgoing.end();
    return;
  }
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
  } catch {
    return;
  }
  const bytes = Buffer.concat(chunks);
  const raw = bytes.toString();
  const body = JSON.parse(raw) as Record<string, unknown>;
  const { headers, url: path = "" } = incoming;
  const messages = anthropic.messagesOf(body);
  const received: Received = {
    dialect: "anthropic",
    path,
    headers,
    bytes,
    raw,
    body,
    messages,
    answer: () => Buffer.alloc(0),
  };
  const refusal = findRefusal(received);
  const hash = createHash("sha256").update(raw).digest("hex");
  appendFileSync(log, `${JSON.stringify({ id: headers["x-id"], hash, bytes: raw.length, refusal })}\n`);
  if (refusal !== undefined) {
    outgoing.writeHead(400, { "content-type": "application/json" });
    outgoing.end(JSON.stringify(anthropic.error(400, refusal)));
    return;
  }
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  const reply = {
    text: "I read on.",
    calls: [{ id: `call-${headers["x-id"]}`, name: "read_file", input: {} }],
  };
  const usage = { ...cache.count(received), output: 20 };
  for (const event of anthropic.events({
    reply,
    usage,
    model: String(body.model),
    serial: ++serial,
    signature: "",
  })) {
    outgoing.write(event);
    await wait(3);
  }
  outgoing.end();
}).listen(Number(port), "127.0.0.1");
