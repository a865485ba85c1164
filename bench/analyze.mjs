// `coppice analyze` on 200 sessions of 1 MB each: time, processor time, and the most memory that it had. Run `npm run build` first.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const SESSIONS = Number(process.argv[2] ?? 200);
const BYTES = 1_000_000;
const folder = mkdtempSync(join(tmpdir(), "coppice-analyze-"));
const lines = readFileSync(resolve("samples/discount-service.jsonl"), "utf8").trim().split("\n");

for (let i = 0; i < SESSIONS; i++) writeFileSync(join(folder, `${i}.jsonl`), makeSession(i));

const started = performance.now();
const child = spawn(process.execPath, ["dist/cli/main.js", "analyze", folder, "--json"], {
  stdio: ["ignore", "ignore", "inherit"],
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
}, 50);
const code = await new Promise((done) => child.on("exit", done));
clearInterval(poll);
rmSync(folder, { recursive: true });
const seconds = (performance.now() - started) / 1000;
console.log(
  `${SESSIONS} sessions of 1 MB: ${seconds.toFixed(1)} s (${(ticks / 100).toFixed(1)} s of processors), at most ${(peak / 1024).toFixed(0)} MB, exit code ${code}`,
);

/** The sample over and over, each time with ids of its own that go on from the last, until it has a megabyte. */
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
