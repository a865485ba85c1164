import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import postgres from "postgres";

/** A real server on a free port of this machine, in its own folder. */
export interface PostgresServer {
  /** The address of an empty schema. */
  createSchema(): Promise<string>;
  start(): Promise<void>;
  /** `SIGINT`: ends all connections and stops. `SIGQUIT`: stops as in a crash. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Stops it and deletes everything. */
  dispose(): Promise<void>;
}

export async function startPostgres(): Promise<PostgresServer> {
  const bin = findBinaries();
  const folder = mkdtempSync(join(tmpdir(), "coppice-postgres-"));
  const user = findUser(folder);
  const data = join(folder, "data");
  const made = spawnSync(
    join(bin, "initdb"),
    ["-D", data, "-U", "coppice", "-A", "trust", "-E", "UTF8", "--no-sync"],
    {
      ...user,
      cwd: folder,
      encoding: "utf8",
    },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error ?? made.stderr}`);
  const port = await findPort();
  const url = `postgres://coppice@127.0.0.1:${port}/postgres`;
  let server: ReturnType<typeof spawn> | undefined;
  let schemas = 0;

  async function start(): Promise<void> {
    server = spawn(
      join(bin, "postgres"),
      [
        "-D",
        data,
        "-p",
        `${port}`,
        "-c",
        "listen_addresses=127.0.0.1",
        "-k",
        folder,
        "-c",
        "max_connections=200",
        // Its processes are killed here, the machine is not.
        "-c",
        "fsync=off",
      ],
      { ...user, cwd: folder, stdio: "ignore" },
    );
    await waitFor(() => ask(url, "SELECT 1"));
  }

  async function stop(signal: NodeJS.Signals = "SIGINT"): Promise<void> {
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill(signal);
    await ended;
  }

  await start();
  return {
    async createSchema() {
      const name = `s${++schemas}`;
      await ask(url, `CREATE SCHEMA ${name}`);
      return `${url}?search_path=${name}`;
    },
    start,
    stop,
    async dispose() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs one statement on its own connection. */
export async function ask(url: string, statement: string): Promise<readonly Record<string, unknown>[]> {
  // Without `fetch_types`, the driver requests nothing that it would not wait for.
  const sql = postgres(url, { max: 1, connect_timeout: 5, fetch_types: false, onnotice: () => {} });
  try {
    return await sql.unsafe(statement);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Debian's package puts them outside of the path. */
function findBinaries(): string {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const found = versions
    .map((version) => join(root, version, "bin"))
    .find((bin) => existsSync(join(bin, "initdb")));
  if (found === undefined) throw new Error("PostgreSQL is not installed: apt-get install -y postgresql");
  return found;
}

/** PostgreSQL refuses to run as root: then the account of its package is used, and gets the folder. */
function findUser(folder: string): { readonly uid?: number; readonly gid?: number } {
  if (userInfo().uid !== 0) return {};
  const id = (flag: string) => Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout);
  const user = { uid: id("-u"), gid: id("-g") };
  chownSync(folder, user.uid, user.gid);
  return user;
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return address.port;
}

async function waitFor(work: () => Promise<unknown>): Promise<void> {
  for (let i = 0; ; i++) {
    try {
      await work();
      return;
    } catch (error) {
      if (i > 200) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
