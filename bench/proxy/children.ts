import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

export interface Child {
  readonly url: string;
  /** Time of the processor so far, in milliseconds. */
  cpu(): number;
  /** Memory, in bytes. */
  memory(): number;
  /** Memory in use after the collector, in bytes; only of a relay. */
  used(): Promise<number>;
  end(): Promise<void>;
}

export interface Children {
  readonly folder: string;
  start(program: "provider-main" | "relay-main", ...args: readonly string[]): Promise<Child>;
  end(): Promise<void>;
}

/** Processes of the bench, each of which tells its port when it listens. */
export async function prepareChildren(): Promise<Children> {
  const folder = mkdtempSync(resolve("node_modules", ".bench-proxy-"));
  await build({
    entryPoints: ["provider-main", "relay-main"].map((name) => resolve("bench", "proxy", `${name}.ts`)),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  const all: Child[] = [];
  return {
    folder,
    async start(program, ...args) {
      const child = fork(join(folder, `${program}.mjs`), [...args], { execArgv: ["--expose-gc"] });
      const [{ port }] = (await once(child, "message")) as [{ readonly port: number }];
      const started = describeChild(child, port);
      all.push(started);
      return started;
    },
    async end() {
      await Promise.all(all.map((child) => child.end()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function describeChild(child: ChildProcess, port: number): Child {
  const read = (file: string) => readFileSync(`/proc/${child.pid}/${file}`, "utf8");
  return {
    url: `http://127.0.0.1:${port}`,
    cpu() {
      // proc(5): the 14th and 15th field, in ticks of 10 ms; the second, a name, may have blanks in it.
      const fields = read("stat")
        .replace(/^.*\) /s, "")
        .split(" ");
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(read("status"))?.[1]) * 1_024,
    async used() {
      child.send("used");
      const [{ used }] = (await once(child, "message")) as [{ readonly used: number }];
      return used;
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}
