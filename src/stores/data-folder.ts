import { homedir } from "node:os";
import { join } from "node:path";

/** What stands in `process.env`. Spelled out, so that users of the types need none of Node's. */
type Environment = Readonly<Record<string, string | undefined>>;

/** The user's data folder. */
export function dataFolder(env: Environment = process.env): string {
  return env.XDG_DATA_HOME || join(homedir(), ".local/share");
}

/** Where the SQLite store is, unless somebody says otherwise. */
export function journalPath(env: Environment = process.env): string {
  return join(dataFolder(env), "coppice/journal.db");
}

/** The user's cache folder: what is in it may go at any time. */
export function cacheFolder(env: Environment = process.env): string {
  return env.XDG_CACHE_HOME || join(homedir(), ".cache");
}
