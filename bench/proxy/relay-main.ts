/**
 * What stands between, in a process of its own:
 *
 *   pipe    passes bytes on, and looks at nothing
 *   parse   reads the body, `JSON.parse`, `JSON.stringify`, and passes that on
 *   proxy   Coppice, with its journal in a file
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { Agent } from "undici";
import { startProxy } from "../../src/hosts/proxy/proxy.ts";
import { answerHeaders, headersForBody, requestHeaders } from "../../src/hosts/proxy/raw-headers.ts";
import { openStore } from "../../src/stores/open-store.ts";

const [kind = "", origin = "", file = "", keepBytes = ""] = process.argv.slice(2);
const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const headers = requestHeaders(incoming.rawHeaders);
  const asked = kind === "parse" ? await parseBody(incoming, headers) : { headers, body: incoming };
  const path = incoming.url ?? "/";
  const response = await dispatcher.request({
    origin,
    path,
    method: "POST",
    responseHeaders: "raw",
    ...asked,
  });
  outgoing.writeHead(response.statusCode, answerHeaders(response.headers as unknown as string[]));
  await pipeline(response.body, outgoing);
}

async function parseBody(incoming: IncomingMessage, headers: readonly string[]) {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.from(JSON.stringify(JSON.parse(Buffer.concat(chunks).toString())));
  return { headers: headersForBody(headers, body.length), body };
}

if (kind === "proxy") {
  const store = await openStore({ kind: "sqlite", path: file }, { report: console.error });
  const { port } = await startProxy({
    store,
    upstreams: { anthropic: origin },
    settings: keepBytes === "" ? {} : { keepBytes: Number(keepBytes) },
    onIssue: (_, text) => console.error(text),
  });
  process.send?.({ port });
} else {
  const server = createServer({ keepAliveTimeout: 600_000 }, (incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
}

// What is really in use, when it is asked for.
process.on("message", () => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ used: heapUsed + external });
});
