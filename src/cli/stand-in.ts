import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { packageFile } from "../basics/package-file.ts";

export interface StandInOptions {
  /** The proxy's address. */
  readonly url: string;
  /** The client: when it ends, so does the stand-in. */
  readonly pid: number;
  /** The user's command that started the client. */
  readonly command: string;
}

/**
 * Reads a line. If the line comes, this process ended normally, and there is nothing to do. If the pipe ends
 * without it, this process was killed: only then is Node started, because a shell needs a fiftieth of its memory.
 */
const WAIT = 'read -r _ || exec "$@"';

const MAIN = fileURLToPath(packageFile("cli/stand-in-main.js"));

/**
 * Starts a process that survives if this one is killed (`kill -9`). It then answers in the proxy's place and tells
 * the client what to do. Without it, the client would wait and try again for minutes. Returns a function that ends
 * it.
 */
export function startStandIn({ url, pid, command }: StandInOptions): () => void {
  const args = [process.execPath, MAIN, url, String(pid), command];
  // In its own session, so that signals from the terminal don't reach it.
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
