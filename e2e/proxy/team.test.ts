import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { type Provider, startProvider } from "../provider/provider.ts";
import { ask as askPostgres, type PostgresServer, startPostgres } from "../stores/postgres-server.ts";
import { Agent } from "./agent.ts";
import { findPort, untilServed } from "./processes.ts";
import { createRandom } from "./random.ts";

// The services in deploy/compose.yaml, without containers: its commands and its environment, with PostgreSQL and
// HAProxy of this machine.

const ROOT = resolve(import.meta.dirname, "../..");
const TOKEN = "a token of the team";

interface Service {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly deploy?: { readonly replicas: number };
  readonly healthcheck?: { readonly test: readonly string[] };
}
const compose = parse(readFileSync(join(ROOT, "deploy/compose.yaml"), "utf8")) as {
  readonly services: Readonly<Record<"postgres" | "coppice" | "balancer", Service>>;
};
const { coppice, balancer } = compose.services;

let server: PostgresServer;
let provider: Provider;
let folder: string;
let store: string;
let url: string;
const replicas: { child: ChildProcess; readonly port: number }[] = [];
const running: ChildProcess[] = [];

beforeAll(async () => {
  server = await startPostgres();
  store = await server.createSchema();
  folder = mkdtempSync(join(tmpdir(), "coppice-team-"));
  provider = await startProvider(async () => {
    await wait(30);
    return { text: "I read on." };
  });
  for (let i = 0; i < (coppice.deploy?.replicas ?? 0); i++) {
    const port = await findPort();
    replicas.push({ child: startReplica(port), port });
  }
  const port = await findPort();
  url = `http://127.0.0.1:${port}/~${encodeURIComponent(TOKEN)}`;
  startBalancer(port);
  await untilServed(`http://127.0.0.1:${port}`);
  for (const replica of replicas) await untilServed(`http://127.0.0.1:${replica.port}`);
});

afterAll(async () => {
  for (const child of running) await end(child, "SIGKILL");
  await provider?.close();
  await server?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

function startReplica(port: number): ChildProcess {
  const [program, ...args] = coppice.command ?? [];
  expect(program).toBe("coppice");
  const given = args.map((arg) => (arg === "8787" ? String(port) : arg));
  const child = spawn(
    process.execPath,
    [join(ROOT, "dist/cli/main.js"), ...given, "--upstream", `anthropic=${provider.url}`],
    {
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        ...fill(coppice.environment, { COPPICE_TOKEN: TOKEN, COPPICE_STORE: store }),
      },
    },
  );
  running.push(child);
  return child;
}

/** The names of the environment are the file's; if a value is another's address, ours replaces it. */
function fill(
  environment: Service["environment"],
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment ?? {}).map(([name, value]) => [name, values[name] ?? value]),
  );
}

function startBalancer(port: number): void {
  const servers = replicas.map((replica, i) => `  server replica${i} 127.0.0.1:${replica.port}`);
  const config = readFileSync(join(ROOT, "deploy/haproxy.cfg"), "utf8")
    .replace("bind :8787", `bind 127.0.0.1:${port}`)
    .replace(/^ {2}server-template .*$/m, servers.join("\n"));
  expect(config).toContain(servers[0]);
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, config);
  // In turn, so that each conversation goes to all of them.
  const env = { ...process.env, ...fill(balancer.environment, { BALANCE: "roundrobin" }) };
  running.push(spawn("haproxy", ["-f", file], { env, stdio: ["ignore", "ignore", "inherit"] }));
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }
  return child.exitCode;
}

const sentOf = (name: string) =>
  provider.received.filter(({ messages }) => JSON.stringify(messages[0]).includes(name));

test("all replicas serve agents, prune, and count in one place", async () => {
  const agents = Array.from({ length: 4 }, (_, i) => new Agent(`team${i}`, createRandom(i)));
  await Promise.all(
    agents.map(async (agent) => {
      for (let i = 0; i < 12; i++) await agent.step(url);
    }),
  );
  expect(provider.refused).toEqual([]);
  expect(provider.received).toHaveLength(48);
  expect(agents.map(({ trials }) => trials.refused + trials.cut)).toEqual([0, 0, 0, 0]);
  await expect
    .poll(() => askPostgres(store, "SELECT id, requests FROM coppice_sessions ORDER BY id"))
    .toEqual(agents.map(({ name }) => ({ id: name, requests: 12 })));
  const [{ rows } = { rows: 0 }] = await askPostgres(
    store,
    "SELECT count(*) AS rows FROM coppice_boundaries",
  );
  expect(Number(rows)).toBe(48);
});

test("nobody gets access without the token, and it never goes to a provider", async () => {
  const bare = url.split("/~")[0] ?? "";
  expect((await fetch(`${bare}/v1/messages`, { method: "POST", body: "{}" })).status).toBe(401);
  expect(JSON.stringify(provider.received.map(({ path, headers }) => [path, headers]))).not.toContain(
    "token",
  );
});

test("replicas are replaced one after the other, and no answer breaks off", async () => {
  const agents = Array.from({ length: 4 }, (_, i) => new Agent(`roll${i}`, createRandom(i)));
  let isOver = false;
  const lives = agents.map(async (agent) => {
    while (!isOver) await agent.step(url);
  });
  for (const replica of replicas) {
    await wait(300);
    expect(await end(replica.child, "SIGTERM")).toBe(0);
    replica.child = startReplica(replica.port);
    await untilServed(`http://127.0.0.1:${replica.port}`);
    // The time until the balancer notices.
    await wait(1_500);
  }
  isOver = true;
  await Promise.all(lives);
  for (const agent of agents) {
    expect(agent.steps).toBeGreaterThan(3);
    expect(agent.trials.cut).toBe(0);
    expect(sentOf(agent.name).length).toBeGreaterThanOrEqual(agent.steps);
  }
});

test("the check of a container tells whether its replica is running", async () => {
  const [kind, program, ...args] = coppice.healthcheck?.test ?? [];
  expect([kind, program]).toEqual(["CMD", "node"]);
  const check = (port: number) => {
    const given = args.map((arg) => arg.replace("8787", String(port)));
    return once(spawn(process.execPath, given, { stdio: "ignore" }), "exit");
  };
  expect((await check(replicas[0]?.port ?? 0))[0]).toBe(0);
  expect((await check(await findPort()))[0]).not.toBe(0);
});
