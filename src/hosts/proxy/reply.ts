import type { ServerResponse } from "node:http";

export function replyJson(outgoing: ServerResponse, status: number, value: unknown): void {
  outgoing.writeHead(status, { "content-type": "application/json" });
  outgoing.end(JSON.stringify(value));
}

/** An error in a shape that clients of every provider display. */
export function replyError(outgoing: ServerResponse, status: number, message: string): void {
  if (outgoing.headersSent) {
    outgoing.destroy();
    return;
  }
  const type = status < 500 ? "invalid_request_error" : "api_error";
  replyJson(outgoing, status, { type: "error", error: { type, message: `coppice: ${message}` } });
}
