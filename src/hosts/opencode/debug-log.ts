import { appendFileSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** One line per event, as JSON, in OpenCode's log folder; nothing at all unless `debug` is set. */
export function createDebugLog(
  enabled: boolean,
  env: NodeJS.ProcessEnv = process.env,
): (event: object) => void {
  if (!enabled) return () => {};
  const folder = join(env.XDG_DATA_HOME || join(homedir(), ".local/share"), "opencode", "log");
  return (event) => {
    try {
      mkdirSync(folder, { recursive: true });
      appendFileSync(
        join(folder, "coppice.log"),
        `${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`,
      );
    } catch {
      // A log that can't be written is no reason to stop.
    }
  };
}
