import { statSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { Terms } from "./options.ts";
import type { SessionOutcome } from "./replay-session.ts";

/**
 * Sessions over worker threads, largest first so that none is left alone at the end; the outcomes are in the order of
 * the files, whoever was first. `script` answers a file's name with its outcome.
 */
export async function replaySessions(
  files: readonly string[],
  terms: Terms,
  { script, workers }: { readonly script: URL; readonly workers: number },
): Promise<readonly SessionOutcome[]> {
  const outcomes = new Map<string, SessionOutcome>();
  const waiting = files.toSorted((a, b) => statSync(b).size - statSync(a).size);
  const started = Date.now();
  const work = async (): Promise<void> => {
    const worker = new Worker(script, { workerData: terms });
    try {
      for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
        outcomes.set(file, await ask(worker, file));
        const seconds = Math.round((Date.now() - started) / 1000);
        process.stderr.write(`${outcomes.size}/${files.length} ${seconds} s ${file}\n`);
      }
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, files.length) }, work));
  return files.flatMap((file) => outcomes.get(file) ?? []);
}

function ask(worker: Worker, file: string): Promise<SessionOutcome> {
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", (outcome: SessionOutcome) => {
      worker.off("error", reject);
      resolve(outcome);
    });
    worker.postMessage(file);
  });
}
