/**
 * Heap that a pruner holds after a session of so many steps, and the characters of the session's texts, as JSON: what is
 * free once the pruner is gone. In a process of its own, where nothing else is collected meanwhile.
 */
import { createPruner, type Pruner } from "../src/index.ts";
import { leavesOf } from "./leaves-of.ts";
import { makeSession } from "./long-session.ts";

declare const Bun: { gc(force: boolean): void } | undefined;

const REQUEST = { session: "s", model: "claude-sonnet-4-5" };
const [steps = 0, resultTokens = 0] = process.argv.slice(2).map(Number);

/** Heap in use when all is collected that can be: what one collection sets free, the next one takes. */
async function readHeap(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    if (typeof Bun !== "undefined") Bun.gc(true);
    else (globalThis as { gc?: () => void }).gc?.();
    await new Promise((done) => setTimeout(done));
  }
  return process.memoryUsage().heapUsed;
}

const messages = makeSession(steps, resultTokens);
const text = leavesOf({ messages, format: "opencode" }).reduce((sum, each) => sum + each.length, 0);
let pruner: Pruner | undefined = createPruner({ agentTools: true });
for (let end = steps - 20; end <= steps; end++) pruner.prune(makeSession(end, resultTokens), REQUEST);
if (!pruner.agentView("s")) throw new Error("the session is gone: nothing was measured");
const holding = await readHeap();
pruner = undefined;
const kept = holding - (await readHeap());
console.log(JSON.stringify({ kept, text }));
