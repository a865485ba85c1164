import { execFile, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

const SCRIPT = fileURLToPath(new URL("./with-systemd.sh", import.meta.url));

export interface Printed {
  readonly code: number;
  readonly text: string;
}

/** The session of a user whose services systemd runs. */
export interface UserSession {
  /** Runs a program in it, to its end. */
  run(command: readonly string[]): Promise<Printed>;
}

/** A real `systemd --user`, which ends with the test, and its services with it. */
export async function startSystemd(home: string, path: string): Promise<UserSession> {
  const runtime = join(home, "../runtime");
  mkdirSync(runtime, { recursive: true });
  chmodSync(runtime, 0o700);
  const env = { PATH: path, HOME: home, XDG_RUNTIME_DIR: runtime };
  const child = spawn("unshare", ["--mount", SCRIPT], { env, stdio: "ignore" });
  const ended = new Promise((done) => child.once("exit", done));
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  const inside = (command: readonly string[]): readonly string[] => [
    `--target=${child.pid}`,
    "--mount",
    `--wd=${home}`,
    ...command,
  ];
  const run = (command: readonly string[]): Promise<Printed> =>
    new Promise((done) => {
      execFile("nsenter", inside(command), { env }, (error, out, err) =>
        done({ code: error ? Number(error.code) : 0, text: out + err }),
      );
    });
  for (let i = 0; (await run(["systemctl", "--user", "is-system-running"])).code !== 0; i++) {
    if (i > 100) throw new Error("systemd does not start");
    await pause(100);
  }
  return { run };
}

/** Is what the tests of services need on this machine? */
export function hasSystemd(): boolean {
  try {
    execFileSync("/usr/lib/systemd/systemd", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
