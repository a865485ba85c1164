import { mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import type { CaseRequest, WorkerMessage } from "./worker.ts";

/** A run that takes this many times its limit is ended, and its case started again, this often. */
const PATIENCE = 3;
const TRIES = 2;

export interface Growth {
  /** The number of cases, and a line for each that grows too fast. */
  readonly cases: number;
  readonly grows: readonly string[];
}

/** Runs families of cases in a thread, in which a hanging case can be ended and named. */
export interface Watch {
  growthOf(family: string): Promise<Growth>;
  close(): Promise<unknown>;
}

/**
 * The thread is kept for all families, with its compiled code, unless a case hangs: then the next gets a new one.
 */
export function openWatch(bundle: string): Watch {
  let worker: Worker | undefined;
  const end = async (): Promise<void> => {
    await worker?.terminate();
    worker = undefined;
  };
  return {
    async growthOf(family) {
      const grows: string[] = [];
      let from = 0;
      let tries = 0;
      for (;;) {
        worker ??= new Worker(bundle);
        const ended = await runFrom(worker, { family, from }, grows);
        if ("cases" in ended) return { cases: ended.cases, grows };
        await end();
        tries = ended.index === from ? tries + 1 : 1;
        if (tries === TRIES) grows.push(ended.hangs);
        from = tries === TRIES ? ended.index + 1 : ended.index;
      }
    },
    close: end,
  };
}

type Ended = { readonly cases: number } | { readonly index: number; readonly hangs: string };

function runFrom(worker: Worker, request: CaseRequest, grows: string[]): Promise<Ended> {
  return new Promise((done, fail) => {
    let running:
      | { readonly message: Extract<WorkerMessage, { begins: unknown }>; readonly since: number }
      | undefined;
    const timer = setInterval(() => {
      if (!running) return;
      const { message, since } = running;
      const limit = PATIENCE * message.begins.allowed;
      if (cpuTime() - since <= limit) return;
      const hangs = `${message.name}: ended after ${limit.toFixed(0)} ms at ${message.begins.size}`;
      end(() => done({ index: message.index, hangs }));
    }, 50);
    const end = (then: () => void): void => {
      clearInterval(timer);
      for (const event of ["message", "error", "exit"]) worker.removeAllListeners(event);
      then();
    };
    worker.on("message", (message: WorkerMessage) => {
      if ("begins" in message) running = { message, since: cpuTime() };
      else if ("grows" in message) grows.push(message.grows);
      else end(() => done({ cases: message.ends }));
    });
    worker.on("error", (error) => end(() => fail(error)));
    worker.on("exit", (code) => end(() => fail(new Error(`the worker ended with ${code}`))));
    worker.postMessage(request);
  });
}

/** Of the whole process: this thread only waits. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** A thread takes no TypeScript: bundles our own sources. */
export async function bundleWorker(): Promise<{ readonly file: string; remove(): void }> {
  // Inside node_modules, so that the packages it imports are found from there.
  const folder = mkdtempSync(resolve("node_modules", ".growth-"));
  const file = join(folder, "worker.mjs");
  await build({
    entryPoints: [join(import.meta.dirname, "worker.ts")],
    outfile: file,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
