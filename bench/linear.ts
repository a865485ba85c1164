/**
 * Is the whole pipeline linear? A cold start folds every boundary of a session; time at n, 2n, 4n, up to 10,000
 * messages and 2 M tokens, in every schedule mode and with the window that fills up. Ratios of one run: 2 is linear.
 */
import { createPruner, type PrunerOptions } from "../src/index.ts";
import { makeSession } from "./long-session.ts";

const SIZES = [2_500, 5_000, 10_000];
const TOKENS_PER_STEP = 200;

const SETTINGS: readonly (readonly [string, PrunerOptions["config"]])[] = [
  ["rent or buy, 200k window", {}],
  ["rent or buy, no end of window", { window: 100_000_000 }],
  ["eager, 200k window", { schedule: { mode: "eager" } }],
  ["eager, no end of window", { schedule: { mode: "eager" }, window: 100_000_000 }],
  ["compact, 200k window", { strategies: { aggressivePruning: { preset: "compact" } } }],
];

function timeCold(steps: number, config: PrunerOptions["config"]): number {
  const session = makeSession(steps, TOKENS_PER_STEP);
  const times = [1, 2, 3].map(() => {
    const pruner = createPruner({ agentTools: true, config: config ?? {} });
    const started = performance.now();
    const { report } = pruner.prune(session, { model: "claude-sonnet-4-5" });
    if (report.steps !== steps) throw new Error(`folded ${report.steps} of ${steps} steps`);
    return performance.now() - started;
  });
  return Math.min(...times);
}

console.log(`cold start over the whole session, ms at ${SIZES.join(", ")} messages; twice the size takes …`);
for (const [name, config] of SETTINGS) {
  const times = SIZES.map((size) => timeCold(size, config));
  const ratios = times.slice(1).map((time, i) => (time / (times[i] ?? time)).toFixed(2));
  console.log(
    `${name.padEnd(32)} ${times.map((time) => time.toFixed(0).padStart(7)).join("")}   × ${ratios.join(", × ")}`,
  );
}
