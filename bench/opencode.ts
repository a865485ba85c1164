/**
 * How long the plugin holds up a step of OpenCode in sessions of up to 1,000 tool calls: each further step, and the first
 * one after a restart. Beside it the plugin that people know, from npm into a temporary folder, in the same run and through
 * the same hook. Both run in Bun, as OpenCode does, each time in a process of its own.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Times } from "./opencode-plugin.ts";

const SIZES = [100, 300, 1_000];
const OTHER = "@tarquinen/opencode-dcp";
/** Milliseconds after which a process is ended. */
const LIMIT = 240_000;
/** Milliseconds that a step may be held up with 1,000 tool calls. */
const GOALS = { cold: 1_000, warm: 5 };

const folder = mkdtempSync(join(tmpdir(), "coppice-bench-"));
const environment = Object.fromEntries(
  ["DATA", "CONFIG", "STATE", "CACHE"].map((name) => [`XDG_${name}_HOME`, join(folder, name)]),
);

try {
  console.info("tool calls of 500 tokens each; milliseconds\n");
  console.info(["plugin".padEnd(24), "calls", "cold", "step", "95 %", "max", "of reading them"].join("\t"));
  const own = fileURLToPath(new URL("../dist/server.js", import.meta.url));
  for (const tools of SIZES) show("coppice", tools, measure(own, tools), GOALS);
  const other = install(OTHER);
  if (other) for (const tools of SIZES) show(other.label, tools, measure(other.entry, tools));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** `undefined`: it had not finished its first two calls within the limit. */
function measure(entry: string, tools: number): Times | undefined {
  const script = fileURLToPath(new URL("opencode-plugin.ts", import.meta.url));
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [script, entry, String(tools)], {
    cwd: folder,
    env: { ...process.env, ...environment, HOME: folder },
    encoding: "utf8",
    timeout: LIMIT,
  });
  if (signal) return undefined;
  if (status !== 0) throw new Error(`${entry} failed: ${stderr}`);
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as Times;
}

function show(label: string, tools: number, times: Times | undefined, goals?: typeof GOALS): void {
  const start = [label.padEnd(24), tools];
  if (!times) {
    console.info([...start, `more than ${LIMIT / 1_000} s for two calls`].join("\t"));
    return;
  }
  const warm = times.warm.toSorted((a, b) => a - b);
  const cold = median(times.cold);
  const figures = [cold, median(warm), warm[Math.floor(warm.length * 0.95)] ?? 0, warm.at(-1) ?? 0];
  const isOver = goals && (cold > goals.cold || median(warm) > goals.warm);
  const share = `${(median(warm) / median(times.reading)).toFixed(2)} ×`;
  const remark = isOver ? `over ${goals.cold} cold, ${goals.warm} a step` : `${warm.length} steps`;
  console.info([...start, ...figures.map((ms) => ms.toFixed(1)), share, remark].join("\t"));
}

function install(name: string): { readonly label: string; readonly entry: string } | undefined {
  const place = join(folder, "npm");
  try {
    mkdirSync(place);
    writeFileSync(join(place, "package.json"), "{}");
    execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", name], {
      cwd: place,
    });
    const manifest = join(place, "node_modules", name, "package.json");
    const { version, main } = JSON.parse(readFileSync(manifest, "utf8")) as Record<string, string>;
    return { label: `${name.split("/").at(-1)} ${version}`, entry: join(manifest, "..", main ?? "") };
  } catch {
    console.info(`(${name} could not be installed: no registry)`);
    return undefined;
  }
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
