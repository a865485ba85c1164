import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Client, Session } from "./client.ts";

export interface Ran {
  /** `undefined` if a signal ended it. */
  readonly code: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** The agent's last text. */
  readonly answer: string | undefined;
  /** The id to resume with. */
  readonly session: string | undefined;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ran>;
}

const LIMIT = 240_000;

export function runClient(client: Client, session: Session): Promise<Ran> {
  return startClient(client, session).ended;
}

/** Starts it with a clean environment; it and its child processes end after `LIMIT` at the latest. */
export function startClient(client: Client, session: Session): Running {
  const { command, env, files = {} } = client.launch(session);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(session.home, path)), { recursive: true });
    writeFileSync(join(session.home, path), text);
  }
  const [file, ...args] = [...(session.before ?? []), ...command] as [string, ...string[]];
  const child = spawn(file, args, {
    cwd: session.cwd,
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin", HOME: session.home, ...env, ...session.env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const ended = new Promise<Ran>((resolve, reject) => {
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
    const timer = setTimeout(() => child.pid && process.kill(-child.pid, "SIGKILL"), LIMIT);
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      const printed = { stdout: stdout(), stderr: stderr() };
      try {
        resolve({ code: code ?? undefined, ...printed, ...client.report(printed.stdout) });
      } catch (error) {
        reject(error);
      }
    });
  });
  return { child, ended };
}

function collect(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString("utf8");
}
