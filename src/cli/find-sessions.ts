import type { Stats } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Issue, Result } from "../basics/issue.ts";
import { AGENT_FILE, joinSubagents, type Linked } from "./join-subagents.ts";
import { listStored, nameStored, splitStored } from "./opencode-database.ts";

/** A file that may contain a session, or a session of OpenCode in a folder or a database. */
export interface SessionFile {
  readonly path: string;
  readonly bytes: number;
  /** Changes when the file changes. */
  readonly stamp: string;
  /** Named by the user: if it can't be read, this is an error. */
  readonly named: boolean;
  /** Sessions of subagents that this one started: they are part of it. */
  readonly subagents?: readonly string[];
}

/** A folder, or a database, where an agent keeps its sessions. */
export interface SessionFolder {
  readonly agent: string;
  readonly path: string;
}

export interface FoundSessions {
  readonly files: readonly SessionFile[];
  /** Paths that do not exist. */
  readonly missing: readonly string[];
  /** Databases that could not be read. */
  readonly issues: readonly Issue[];
}

export function listSessionFolders(
  env: NodeJS.ProcessEnv = process.env,
  home: string = homedir(),
): readonly SessionFolder[] {
  const claude = env.CLAUDE_CONFIG_DIR || join(home, ".claude");
  const codex = env.CODEX_HOME || join(home, ".codex");
  const opencode = join(env.XDG_DATA_HOME || join(home, ".local/share"), "opencode");
  return [
    { agent: "Claude Code", path: join(claude, "projects") },
    { agent: "Codex", path: join(codex, "sessions") },
    { agent: "Codex", path: join(codex, "archived_sessions") },
    { agent: "OpenCode", path: join(opencode, "storage/session") },
    { agent: "OpenCode", path: join(opencode, "opencode.db") },
    { agent: "pi", path: join(env.PI_CODING_AGENT_DIR || join(home, ".pi/agent"), "sessions") },
  ];
}

/** The sessions in these files and folders, in the order of their paths, each with those of its subagents. */
export async function findSessions(paths: readonly string[], named: boolean): Promise<FoundSessions> {
  const files = new Map<string, Linked>();
  const missing: string[] = [];
  const issues: Issue[] = [];
  const add = async (found: readonly Linked[]): Promise<void> => {
    for (const file of found) {
      const known = files.get(file.path);
      if (DATABASE.test(file.path)) await addStored(file.path);
      else if (!known || known.neighbour) files.set(file.path, file);
    }
  };
  const addStored = async (database: string, only?: string): Promise<void> => {
    const stored = await listDatabase(database, only);
    if (stored.ok) await add(stored.value);
    else issues.push(stored.issue);
  };
  for (const path of paths) {
    const stored = splitStored(path);
    const found = await stat(stored?.database ?? path).catch(() => undefined);
    if (!found) missing.push(path);
    else if (stored) await addStored(stored.database, path);
    else if (found.isDirectory()) await add(await walk(path));
    else await add([describe(path, found, named)]);
  }
  await add(await listNeighbours([...files.values()].filter((file) => file.named).map(({ path }) => path)));
  return { files: await joinSubagents([...files.values()]), missing, issues };
}

/** Sessions of subagents that belong to this one. */
export async function findSubagents(path: string): Promise<readonly string[]> {
  const { files } = await findSessions([path], true);
  return files.find((file) => file.path === path)?.subagents ?? [];
}

/** The sessions in a database of OpenCode; if `only` names one, others are included only as its subagents. */
async function listDatabase(database: string, only: string | undefined): Promise<Result<readonly Linked[]>> {
  const stored = await listStored(database);
  if (!stored.ok) return stored;
  const value = stored.value.map(({ id, parent, parts, stamp }): Linked => {
    const path = nameStored(database, id);
    return {
      path,
      bytes: parts * BYTES_PER_PART,
      stamp,
      named: path === only,
      ...(parent !== undefined && { parent: nameStored(database, parent) }),
      ...(only !== undefined && path !== only && { neighbour: true }),
    };
  });
  return { ok: true, value };
}

/** Files next to sessions that may belong to their subagents. */
async function listNeighbours(paths: readonly string[]): Promise<readonly Linked[]> {
  const sessions = paths.filter((path) => path.endsWith(".jsonl") && !AGENT_FILE.test(path));
  const folders = new Set(sessions.map((path) => dirname(path)));
  const beside = await Promise.all(
    [...folders].map(async (folder) =>
      (await readdir(folder).catch(() => [])).map((name) => join(folder, name)),
    ),
  );
  const found = await Promise.all([
    ...beside
      .flat()
      .filter((path) => AGENT_FILE.test(path))
      .map(describeFile),
    ...sessions.map((path) => walk(join(path.slice(0, -".jsonl".length), "subagents"))),
  ]);
  return found.flat().map((file) => ({ ...file, neighbour: true }));
}

const SESSION = /(?:\.(?:jsonl|ndjson|json|traj)(?:\.gz)?|[\\/]opencode[\w-]*\.db)$/i;
const DATABASE = /\.db$/i;
/** A guess: it only shows which session is large. */
const BYTES_PER_PART = 2_000;
/** Large folders that never hold sessions. */
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git"]);

async function walk(folder: string): Promise<readonly Linked[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files: Linked[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!SKIPPED.has(entry.name)) for (const file of await walk(path)) files.push(file);
    } else if (SESSION.test(path) && entry.isFile()) {
      files.push(...(await describeFile(path)));
    }
  }
  return files;
}

async function describeFile(path: string): Promise<readonly Linked[]> {
  const found = await stat(path).catch(() => undefined);
  return found ? [describe(path, found, false)] : [];
}

function describe(path: string, { size, mtimeMs }: Stats, named: boolean): Linked {
  return { path, bytes: size, stamp: `${size}-${mtimeMs}`, named };
}
