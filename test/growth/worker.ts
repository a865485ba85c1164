import { parentPort } from "node:worker_threads";
import { families } from "./families.ts";
import { findFastGrowth, type Run } from "./measure.ts";

/** The messages of the watching thread, and its answers. */
export interface CaseRequest {
  readonly family: string;
  /** The first of its cases. */
  readonly from: number;
}

export type WorkerMessage =
  | { readonly begins: Run; readonly index: number; readonly name: string }
  | { readonly grows: string }
  | { readonly ends: number };

const tell = (message: WorkerMessage): void => parentPort?.postMessage(message);

parentPort?.on("message", ({ family, from }: CaseRequest) => {
  const cases = families[family]?.() ?? [];
  for (const [index, each] of cases.entries()) {
    if (index < from) continue;
    try {
      const grows = findFastGrowth(each, (begins) => tell({ begins, index, name: each.name }));
      if (grows !== undefined) tell({ grows });
    } catch (error) {
      tell({ grows: `${each.name}: ${error instanceof Error ? error.stack : String(error)}` });
    }
  }
  tell({ ends: cases.length });
});
