import {
  constants,
  copyFileSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { makeFolder } from "../../stores/make-folder.ts";

/**
 * Makes a second home folder: a client that runs in it finds its settings, and changes none. The client's own files
 * are copied, without sessions, logs and logins; everything else is linked.
 *
 * @param own the client's own paths below the home folder
 * @param left paths that are neither copied nor linked: our plugin must not write to Coppice's own data
 */
export function mirrorHome(
  home: string,
  target: string,
  own: readonly string[],
  left: string = ".local/share/coppice",
): void {
  mirror(home, target, { own: [...own, ...WRITTEN], left }, "");
}

/** Programs create new folders there: these are made in the second home. */
const WRITTEN = [".cache/-", ".config/-", ".local/share/-", ".local/state/-"];

interface Plan {
  readonly own: readonly string[];
  readonly left: string;
}

function mirror(source: string, target: string, plan: Plan, at: string): void {
  const { own, left } = plan;
  makeFolder(target, 0o700);
  for (const name of namesIn(source)) {
    const path = at === "" ? name : `${at}/${name}`;
    const [from, to] = [join(source, name), join(target, name)];
    if (path === left) continue;
    if (own.includes(path)) copyOwn(from, to);
    else if (own.some((each) => each.startsWith(`${path}/`)) && isFolder(from)) mirror(from, to, plan, path);
    else symlinkSync(from, to);
  }
}

/** A client's file or folder, without contents that no request depends on. Installed packages are linked. */
export function copyOwn(from: string, to: string): void {
  const stat = lstatSync(from, { throwIfNoEntry: false });
  if (!stat) return;
  if (stat.isSymbolicLink()) {
    const aim = readlinkSync(from);
    symlinkSync(isAbsolute(aim) ? aim : resolve(dirname(from), aim), to);
  } else if (stat.isFile()) {
    if (stat.size <= MOST_BYTES) copyFileSync(from, to, constants.COPYFILE_FICLONE);
  } else if (stat.isDirectory()) {
    makeFolder(to, 0o700);
    for (const name of namesIn(from)) {
      if (name === "node_modules") symlinkSync(join(from, name), join(to, name));
      else if (name === "projects") copyMemories(join(from, name), join(to, name));
      else if (!LEFT_OUT.has(name) && !HISTORY.test(name)) copyOwn(join(from, name), join(to, name));
    }
  }
}

/** From the folders with a project's sessions, copies only the agent's memories. */
function copyMemories(from: string, to: string): void {
  makeFolder(to, 0o700);
  for (const name of namesIn(from)) {
    const memory = join(from, name, "memory");
    if (!isFolder(memory)) continue;
    makeFolder(join(to, name), 0o700);
    copyOwn(memory, join(to, name, "memory"));
  }
}

/** Settings are smaller. */
const MOST_BYTES = 8 * 1024 * 1024;
const HISTORY = /\.(?:jsonl|log|db|sqlite)(?:-\w+)?$|^history/i;

/** Sessions, logs and logins are never copied. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...["sessions", "archived_sessions", "session-state", "session-env", "storage", "snapshot", "chats"],
  ...[
    "file-history",
    "shell-snapshots",
    "shell_snapshots",
    "todos",
    "tasks",
    "debug",
    "telemetry",
    "backups",
  ],
  ...["paste-cache", "image-cache", "cache", "logs", "log", "tmp", "downloads", "local", "ide", "bin"],
  ...["auth.json", ".credentials.json", "oauth_creds.json", "google_accounts.json"],
  ...["mcp-oauth-tokens.json", "mcp-oauth-tokens-v2.json"],
]);

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
