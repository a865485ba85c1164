/**
 * How long the plugin holds up a step of OpenCode in a session with 1,000 tool calls: each further step, and the first one
 * after a restart. Beside it the plugin that people know, from npm into a temporary folder, in the same run and through
 * the same hook. Runs in Bun, as OpenCode does.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { makeSession } from "./long-session.ts";

const TOOLS = 1_000;
const RESULT_TOKENS = 500;
const STEPS = 40;
/** Milliseconds after which a plugin is measured no further. */
const PATIENCE = 20_000;
const OTHER = "@tarquinen/opencode-dcp";

type Transform = (input: object, output: { messages: unknown[] }) => Promise<void>;
type Hooks = { readonly "experimental.chat.messages.transform"?: Transform };
type Server = (input: object, options?: object) => Promise<Hooks>;

/** Answers at once and knows nothing: what a plugin asks of the host is not what is measured. */
const answers: Readonly<Record<string, unknown>> = {
  providers: { providers: [] },
  messages: [],
  get: { id: "s" },
};
const client: unknown = new Proxy(
  {},
  {
    get: () => new Proxy({}, { get: (_, method) => async () => ({ data: answers[String(method)] ?? {} }) }),
  },
);

const folder = mkdtempSync(join(tmpdir(), "coppice-bench-"));
for (const name of ["DATA", "CONFIG", "STATE", "CACHE"]) process.env[`XDG_${name}_HOME`] = join(folder, name);
process.env.HOME = folder;

try {
  const session = makeSession(TOOLS + STEPS, RESULT_TOKENS);
  const own = fileURLToPath(new URL("../dist/server.js", import.meta.url));
  console.info(`${TOOLS} tool calls, ${(TOOLS * RESULT_TOKENS) / 1_000}k tokens of results; milliseconds\n`);
  console.info(["plugin".padEnd(28), "cold", "warm median", "warm 95 %", "warm max"].join("\t"));
  await measure("coppice", own, session);
  const other = install(OTHER);
  if (other) await measure(other.label, other.entry, session);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(label: string, entry: string, session: readonly unknown[]): Promise<void> {
  const cold: number[] = [];
  const warm: number[] = [];
  const isPatient = () => [...cold, ...warm].reduce((sum, ms) => sum + ms, 0) < PATIENCE;
  let transform = await load(entry);
  for (let round = 0; round < 3 && isPatient(); round++) {
    transform = await load(entry);
    cold.push(await time(transform, session.slice(0, TOOLS + 1)));
  }
  for (let step = 1; step <= STEPS && isPatient(); step++)
    warm.push(await time(transform, session.slice(0, TOOLS + 1 + step)));
  warm.sort((a, b) => a - b);
  const figures = [median(cold), median(warm), warm[Math.floor(warm.length * 0.95)] ?? 0, warm.at(-1) ?? 0];
  const row = [label.padEnd(28), ...figures.map((ms) => ms.toFixed(1))].join("\t");
  console.info(warm.length < STEPS ? `${row}\t(${cold.length} cold, ${warm.length} warm)` : row);
}

/** With fresh objects each time, as OpenCode hands them over. */
async function time(transform: Transform, messages: readonly unknown[]): Promise<number> {
  const output = { messages: structuredClone([...messages]) };
  const started = performance.now();
  await transform({}, output);
  return performance.now() - started;
}

async function load(entry: string): Promise<Transform> {
  const loaded: unknown = await import(pathToFileURL(entry).href);
  const server = findServer(loaded);
  const hooks = await server({ client, directory: folder, worktree: folder, project: { id: "bench" } }, {});
  const transform = hooks["experimental.chat.messages.transform"];
  if (!transform) throw new Error(`${entry} has no such hook`);
  return transform;
}

function findServer(loaded: unknown): Server {
  const { default: plugin } = loaded as { default: Server | { server: Server } };
  return typeof plugin === "function" ? plugin : plugin.server;
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
