import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Client, ClientPlace, Env } from "../clients/client.ts";
import { Failure } from "../failure.ts";
import type { PrivateFolder } from "../private-folder.ts";
import { copyOwn, mirrorHome } from "./mirror-home.ts";
import type { Probe } from "./probe.ts";
import { type Stub, type StubRequest, startStub } from "./start-stub.ts";

export interface ProbeRun {
  readonly client: Client;
  readonly probe: Probe;
  readonly file: string;
  /** The user's own arguments for the client. */
  readonly args: readonly string[];
  readonly prompt: string;
  readonly place: ClientPlace;
  /** May the client reach MCP servers on other machines? */
  readonly isRemote: boolean;
}

export interface ProbeFindings {
  /** The client's first request with tools; paths in it are those of the real home folder. */
  readonly request: StubRequest;
  /** Hosts that the client tried to reach, and could not. */
  readonly refused: readonly string[];
}

/** In milliseconds. Clients take one to four seconds; a machine may be busy. */
const PATIENCE = 60_000;

/**
 * Starts a client against a stub, reads its first request and ends it. It runs in a second home folder, so that no file of the
 * user's is changed.
 */
export async function runProbe(run: ProbeRun, folder: PrivateFolder): Promise<ProbeFindings> {
  const stub = await startStub();
  const missing = (run.probe.leavings ?? [])
    .map((path) => join(run.place.directory, path))
    .filter((path) => !existsSync(path));
  try {
    const place = movePlace(run, folder);
    const child = startClient(run, place, stub, folder);
    const stop = (): void => {
      if (child.process.pid !== undefined) signal(child.process.pid, "SIGKILL");
      folder.dispose();
      process.exit(130);
    };
    process.once("SIGINT", stop).once("SIGTERM", stop);
    try {
      const request = await waitFor(run, stub, child);
      const body = request.body.replaceAll(place.home, run.place.home);
      return { request: { ...request, body }, refused: [...stub.refused].sort() };
    } finally {
      await end(child);
      process.off("SIGINT", stop).off("SIGTERM", stop);
    }
  } finally {
    await stub.close();
    for (const path of missing) rmSync(path, { force: true });
  }
}

/** The same place, with the second home folder in paths and variables. */
function movePlace({ probe, place }: ProbeRun, folder: PrivateFolder): ClientPlace {
  const home = join(realpathSync(folder.open()), "home");
  const moved: Record<string, string> = {};
  for (const { variable } of probe.state) {
    const own = variable === undefined ? undefined : place.env[variable];
    if (variable === undefined || !own) continue;
    moved[variable] = join(home, "..", variable);
    copyOwn(own, moved[variable]);
  }
  mirrorHome(
    place.home,
    home,
    probe.state.map(({ path }) => path),
  );
  for (const [variable, path] of XDG) {
    const own = place.env[variable];
    if (!own) continue;
    moved[variable] = join(home, "..", variable);
    const below = probe.state.flatMap((each) =>
      each.path.startsWith(`${path}/`) ? [each.path.slice(path.length + 1)] : [],
    );
    mirrorHome(own, moved[variable], below, "coppice");
  }
  return { ...place, home, env: { ...place.env, ...moved, HOME: home } };
}

const XDG = [
  ["XDG_CONFIG_HOME", ".config"],
  ["XDG_DATA_HOME", ".local/share"],
  ["XDG_STATE_HOME", ".local/state"],
  ["XDG_CACHE_HOME", ".cache"],
] as const;

interface Started {
  readonly process: ChildProcess;
  readonly ended: Promise<void>;
  output(): string;
}

function startClient(
  { client, probe, file, args, prompt, isRemote }: ProbeRun,
  moved: ClientPlace,
  stub: Stub,
  folder: PrivateFolder,
): Started {
  const env: Env = { ...moved.env, ...probe.env(moved.env), ...(isRemote ? {} : shutIn(stub.url)) };
  const place = { ...moved, env };
  probe.prepare?.(place);
  const named = new Set(client.addresses(place).map(({ upstream }) => upstream));
  const pointed = client.point({
    place,
    args,
    url: stub.url,
    mcpUrl: undefined,
    isNamed: (upstream) => named.has(upstream),
    base: (_, path = "") => `${stub.url}${path}`,
    keep: folder.keep,
  });
  // The plugin of Coppice costs tokens too, if a user has it. So it stays on, unlike in `wrap`.
  const own = { ...env, ...pointed.env, COPPICE_ENABLED: env.COPPICE_ENABLED };
  const child = spawn(file, [...probe.words(pointed.args ?? [], args, prompt)], {
    cwd: place.directory,
    env: own,
    stdio: ["ignore", "pipe", "pipe"],
    // In its own process group, which includes its MCP servers.
    detached: true,
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.push(chunk));
  const ended = new Promise<void>((resolve) => {
    child.once("error", () => resolve()).once("close", () => resolve());
  });
  return { process: child, ended, output: () => Buffer.concat(output).toString("utf8") };
}

/** Sends all requests to other machines to the stub, which refuses them. */
function shutIn(url: string): Env {
  const names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"];
  return {
    ...Object.fromEntries(names.map((name) => [name, url])),
    NO_PROXY: "127.0.0.1,localhost,::1",
    no_proxy: "127.0.0.1,localhost,::1",
    NODE_USE_ENV_PROXY: "1",
  };
}

async function waitFor({ client, place }: ProbeRun, stub: Stub, child: Started): Promise<StubRequest> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), PATIENCE);
  });
  const first = await Promise.race([stub.found, child.ended.then(() => "ended" as const), late]);
  clearTimeout(timer);
  if (typeof first === "object") return first;
  // A request without tools is better than none.
  const largest = stub.requests.toSorted((a, b) => b.body.length - a.body.length)[0];
  if (largest) return largest;
  const why = client.detours?.(place) ?? [];
  const last = child.output().trim().split("\n").slice(-5).join("\n  ");
  const what =
    first === "late" ? `sent no request in ${PATIENCE / 1_000} seconds` : "ended without a request";
  throw new Failure(
    `${client.title} ${what}${why.length > 0 ? `: ${why.join("; ")}` : ""}.${last === "" ? "" : ` It said:\n  ${last}`}`,
  );
}

/** It has nothing to save: its folders are deleted too. */
async function end({ process: child, ended }: Started): Promise<void> {
  if (child.pid === undefined) return;
  signal(child.pid, "SIGTERM");
  const timer = setTimeout(() => child.pid && signal(child.pid, "SIGKILL"), 300);
  await ended;
  clearTimeout(timer);
  signal(child.pid, "SIGKILL");
}

function signal(group: number, name: NodeJS.Signals): void {
  try {
    process.kill(-group, name);
  } catch {
    // All of it has ended.
  }
}
