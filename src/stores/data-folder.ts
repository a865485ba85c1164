import { homedir } from "node:os";
import { join } from "node:path";

/** The contents of `process.env`. A separate type, so that users of the types don't need Node's. */
type Environment = Readonly<Record<string, string | undefined>>;

/** The user's data folder. */
export function dataFolder(env: Environment = process.env): string {
  return env.XDG_DATA_HOME || join(homedir(), ".local/share");
}

/** The SQLite store's default path. */
export function journalPath(env: Environment = process.env): string {
  return join(dataFolder(env), "coppice/journal.db");
}

/** The user's cache folder, whose contents may be deleted at any time. */
export function cacheFolder(env: Environment = process.env): string {
  return env.XDG_CACHE_HOME || join(homedir(), ".cache");
}
