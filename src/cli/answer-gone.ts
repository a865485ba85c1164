import { createServer, type Server } from "node:http";
import { replyError } from "../hosts/proxy/reply.ts";

/**
 * All clients show the message of this status, and stop. Codex retries 410, and 401, 403 and 404 have other
 * meanings.
 */
const REFUSED = 400;

/**
 * Answers every request to the address of a killed proxy, and says what to do.
 *
 * @throws if it can't listen
 */
export function answerGone(url: string, command: string): Promise<Server> {
  const { hostname, port } = new URL(url);
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    replyError(
      outgoing,
      REFUSED,
      `\`coppice wrap\` was killed, and no request can reach the model any more. Quit, and start again: ${command}`,
    );
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(Number(port), hostname.replace(/^\[|\]$/g, ""), () => resolve(server));
  });
}
