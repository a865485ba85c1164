import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { build } from "esbuild";

/** A process that is restarted whenever it ends, as by a supervisor. */
export interface Kept {
  /** `SIGKILL`; does not wait for the replacement. */
  kill(): void;
  readonly errors: () => string;
  end(): Promise<void>;
}

export interface Programs {
  /** Keeps `proxy-main.ts` or `provider-main.ts` running, with these arguments. */
  keep(program: "proxy-main" | "provider-main", ...args: readonly (string | number)[]): Kept;
  dispose(): void;
}

/** Node 20 runs no TypeScript: they are bundled once. Inside node_modules, so that the packages are found from there. */
export async function preparePrograms(): Promise<Programs> {
  const folder = mkdtempSync(join(resolve(import.meta.dirname, "../.."), "node_modules", ".survival-"));
  await build({
    entryPoints: ["proxy-main", "provider-main"].map((name) => join(import.meta.dirname, `${name}.ts`)),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
  });
  return {
    keep: (program, ...args) => keepRunning(join(folder, `${program}.mjs`), args.map(String)),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function keepRunning(file: string, args: readonly string[]): Kept {
  let isWanted = true;
  let errors = "";
  let child = start();
  function start(): ChildProcess {
    const started = spawn(process.execPath, [file, ...args], { stdio: ["ignore", "ignore", "pipe"] });
    started.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
      errors += chunk;
    });
    started.on("exit", (code) => {
      if (code !== null) errors += `ended with ${code}\n`;
      if (isWanted) child = start();
    });
    return started;
  }
  return {
    kill: () => void child.kill("SIGKILL"),
    errors: () => errors,
    async end() {
      isWanted = false;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Waits until a server at this address reports that it is healthy. */
export async function untilServed(url: string): Promise<void> {
  const until = Date.now() + 60_000;
  while (!(await fetch(`${url}/healthz`).catch(() => undefined))?.ok) {
    if (Date.now() > until) throw new Error(`nobody serves ${url}`);
    await wait(20);
  }
}

/**
 * A free port that the system gives to no client: a client that repeatedly connects to a port without a listener
 * may be connected to itself, and then nobody can listen there any more.
 */
export async function findPort(): Promise<number> {
  for (;;) {
    const port = LOWEST_PORT + Math.floor(Math.random() * (FIRST_GIVEN_PORT - LOWEST_PORT));
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await new Promise((resolve) => {
      server.once("listening", () => resolve(true)).once("error", () => resolve(false));
    });
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}

const LOWEST_PORT = 15_000;
/** `net.ipv4.ip_local_port_range`, as Linux has it. */
const FIRST_GIVEN_PORT = 32_768;
