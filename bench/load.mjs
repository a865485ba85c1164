// What loading the library costs, in a fresh process each time: the second figure of a cold start.
import { execFileSync } from "node:child_process";

const runs = 7;
const time = (code) => {
  const times = Array.from({ length: runs }, () =>
    Number(execFileSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" })),
  );
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)];
};
const wrap = (body) => `const t = performance.now(); ${body}; console.log(performance.now() - t);`;
const load = time(wrap('await import("coppice")'));
const first = time(
  wrap(
    'const { createPruner } = await import("coppice"); createPruner().prune([{ role: "user", content: "hi" }])',
  ),
);
console.log(
  `loading the library: ${load.toFixed(0)} ms; with the first prune of one message: ${first.toFixed(0)} ms (median of ${runs})`,
);
