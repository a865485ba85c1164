import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { packageFile } from "../basics/package-file.ts";

export interface StandInOptions {
  /** Of the proxy. */
  readonly url: string;
  /** The client: when it ends, so does the stand-in. */
  readonly pid: number;
  /** What the user typed to start the client. */
  readonly command: string;
}

/**
 * Reads a line. If the line comes, this process ends well, and there is nothing to do. If the pipe ends without it, this
 * process was killed: Node is started, and no sooner, as a shell takes a fiftieth of its memory.
 */
const WAIT = 'read -r _ || exec "$@"';

const MAIN = fileURLToPath(packageFile("cli/stand-in-main.js"));

/**
 * Starts a process that outlives this one if it is killed (`kill -9`). It then answers in the proxy's place and tells the
 * client what to do, which would wait and try again for minutes otherwise. Gives a function that ends it.
 */
export function startStandIn({ url, pid, command }: StandInOptions): () => void {
  const args = [process.execPath, MAIN, url, String(pid), command];
  // A session of its own, so that signals from the terminal don't reach it.
  const child = spawn("/bin/sh", ["-c", WAIT, "coppice-stand-in", ...args], {
    stdio: ["pipe", "ignore", "ignore"],
    cwd: "/",
    env: {},
    detached: true,
  });
  // The client works without it too.
  child.on("error", () => {});
  child.stdin.on("error", () => {});
  child.unref();
  return () => child.stdin.end("\n");
}
