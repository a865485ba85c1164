import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { closeLater } from "./stage.ts";

/** A provider that answers every request with these bytes. */
export async function startRawUpstream(answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    let seen = "";
    socket.on("data", (chunk: Buffer) => {
      const isHead = seen.includes("\r\n\r\n");
      seen += chunk.toString("latin1");
      if (!isHead && seen.includes("\r\n\r\n")) answer(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closeLater({
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
