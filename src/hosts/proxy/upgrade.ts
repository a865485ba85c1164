import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Dispatcher } from "undici";
import { findWire } from "../../wires/index.ts";
import { type RawHeaders, requestHeaders } from "./raw-headers.ts";
import type { Route } from "./upstreams.ts";

/**
 * Handles a client that requests another protocol. Codex tries a WebSocket to the model first: the proxy refuses
 * (426), and Codex sends ordinary requests at once. All other upgrades are connected through.
 */
export async function passUpgrade(
  incoming: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  route: Route,
  dispatcher: Dispatcher,
): Promise<void> {
  // A client may disconnect before the provider answers.
  socket.on("error", () => socket.destroy());
  if (findWire("POST", route.path)) {
    refuse(socket, "426 Upgrade Required");
    return;
  }
  try {
    const options: Dispatcher.UpgradeOptions & Pick<Dispatcher.DispatchOptions, "origin"> = {
      origin: route.origin,
      path: route.path,
      protocol: incoming.headers.upgrade ?? "websocket",
      headers: requestHeaders(incoming.rawHeaders),
      responseHeaders: "raw",
    };
    const { socket: far, headers } = await dispatcher.upgrade(options);
    const lines = listLines(headers as unknown as RawHeaders);
    far.on("error", () => socket.destroy());
    if (socket.destroyed) far.destroy();
    socket.write(["HTTP/1.1 101 Switching Protocols", ...lines, "", ""].join("\r\n"), "latin1");
    if (head.length > 0) far.write(head);
    far.on("close", () => socket.destroy());
    socket.on("close", () => far.destroy());
    far.pipe(socket).pipe(far);
  } catch {
    refuse(socket, "502 Bad Gateway");
  }
}

export function refuse(socket: Duplex, status: string): void {
  socket.on("error", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

function listLines(raw: RawHeaders): readonly string[] {
  const lines: string[] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) lines.push(`${raw[i]}: ${raw[i + 1]}`);
  return lines;
}
