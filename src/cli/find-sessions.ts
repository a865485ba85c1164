import { readdir, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

/** A file that may hold a session, or a session of OpenCode in the folder where it keeps them. */
export interface SessionFile {
  readonly path: string;
  readonly bytes: number;
  /** Named by the user: if it can't be read, that is an error. */
  readonly named: boolean;
}

/** A folder where an agent keeps its sessions. */
export interface SessionFolder {
  readonly agent: string;
  readonly path: string;
}

export function listSessionFolders(
  env: NodeJS.ProcessEnv = process.env,
  home: string = homedir(),
): readonly SessionFolder[] {
  const claude = env.CLAUDE_CONFIG_DIR || join(home, ".claude");
  const codex = env.CODEX_HOME || join(home, ".codex");
  const data = env.XDG_DATA_HOME || join(home, ".local/share");
  return [
    { agent: "Claude Code", path: join(claude, "projects") },
    { agent: "Codex", path: join(codex, "sessions") },
    { agent: "Codex", path: join(codex, "archived_sessions") },
    { agent: "OpenCode", path: join(data, "opencode/storage/session") },
    { agent: "pi", path: join(env.PI_CODING_AGENT_DIR || join(home, ".pi/agent"), "sessions") },
  ];
}

/** The sessions in these files and folders, in the order of their paths. Paths that do not exist are in `missing`. */
export async function findSessions(
  paths: readonly string[],
  named: boolean,
): Promise<{ readonly files: readonly SessionFile[]; readonly missing: readonly string[] }> {
  const files = new Map<string, SessionFile>();
  const missing: string[] = [];
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined);
    if (!found) missing.push(path);
    else if (found.isDirectory()) for (const file of await walk(path)) files.set(file.path, file);
    else files.set(path, { path, bytes: found.size, named });
  }
  return { files: [...files.values()], missing };
}

const SESSION = /\.(?:jsonl|ndjson|json|traj)(?:\.gz)?$/i;
/** Large folders that never hold sessions. */
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", ".git"]);

async function walk(folder: string): Promise<readonly SessionFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files: SessionFile[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!SKIPPED.has(entry.name)) for (const file of await walk(path)) files.push(file);
    } else if (SESSION.test(entry.name) && entry.isFile()) {
      const found = await stat(path).catch(() => undefined);
      if (found) files.push({ path, bytes: found.size, named: false });
    }
  }
  return files;
}
