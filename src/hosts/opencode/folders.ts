import { homedir } from "node:os";
import { join } from "node:path";

/** Where programs of this user keep their data. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env): string {
  return env.XDG_DATA_HOME || join(homedir(), ".local/share");
}
