// `coppice analyze` on many sessions of Claude Code: the first run reads them all, the second finds its results kept. Time,
// processor time, and the most memory that each had. Run `npm run build` first.
//
//   node bench/analyze.mjs [sessions, 1000] [bytes of each, 100000]
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";

const SESSIONS = Number(process.argv[2] ?? 1_000);
const BYTES = Number(process.argv[3] ?? 100_000);
const root = mkdtempSync(join(tmpdir(), "coppice-analyze-"));
const folder = join(root, "sessions");
const cache = join(root, "cache");
const lines = readFileSync(resolve("samples/discount-service.jsonl"), "utf8").trim().split("\n");

mkdirSync(folder);
for (let i = 0; i < SESSIONS; i++) writeFileSync(join(folder, `${i}.jsonl`), makeSession(i));
console.log(
  `${SESSIONS} sessions of ${BYTES / 1_000} kB; load of the machine before: ${loadavg()[0].toFixed(1)}`,
);
for (const name of ["first run", "second run"]) console.log(`${name}: ${await run()}`);
const kept = readdirSync(join(cache, "coppice/analyze"))
  .map((file) => statSync(join(cache, "coppice/analyze", file)).size)
  .reduce((sum, size) => sum + size, 0);
console.log(`kept results: ${(kept / 1e6).toFixed(1)} MB`);
rmSync(root, { recursive: true });

async function run() {
  const started = performance.now();
  const child = spawn(process.execPath, ["dist/cli/main.js", "analyze", folder, "--json"], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, XDG_CACHE_HOME: cache },
  });
  let peak = 0;
  let ticks = 0;
  const poll = setInterval(() => {
    try {
      const [, kilobytes = "0"] =
        /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8")) ?? [];
      peak = Math.max(peak, Number(kilobytes));
      const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
      ticks = Number(fields[11]) + Number(fields[12]);
    } catch {
      // it has ended, or this is no Linux
    }
  }, 20);
  const code = await new Promise((done) => child.on("exit", done));
  clearInterval(poll);
  const seconds = (performance.now() - started) / 1_000;
  return `${seconds.toFixed(1)} s (${(ticks / 100).toFixed(1)} s of processors), at most ${(peak / 1_024).toFixed(0)} MB, exit code ${code}`;
}

/** The sample over and over, each time with ids of its own that go on from the last, until it is long enough. */
function makeSession(number) {
  let text = "";
  let last = "null";
  for (let round = 0; text.length < BYTES; round++) {
    const mark = `-${number}-${round}"`;
    for (const line of lines) {
      text += `${line
        .replace('"parentUuid":null', `"parentUuid":${last}`)
        .replace(/"(toolu_\w+|msg_\w+)"/g, (_, id) => `"${id}${mark}`)
        .replace(/("(?:uuid|parentUuid)":"[\w-]+)"/g, (whole, id) =>
          whole.includes(last) ? whole : id + mark,
        )}\n`;
      if (text.length >= BYTES) break;
    }
    last = /"uuid":("[^"]+")/.exec(text.slice(text.lastIndexOf('"uuid"')))?.[1] ?? "null";
  }
  return text;
}
