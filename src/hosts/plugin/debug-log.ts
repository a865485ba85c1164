import { appendFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../../stores/make-folder.ts";

/** One line per event, as JSON. Nothing here throws. */
export function createDebugLog(file: string): (event: object) => void {
  return (event) => {
    try {
      makeFolder(dirname(file), 0o700);
      appendFileSync(file, `${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`, {
        mode: 0o600,
      });
    } catch {
      // Coppice continues without a log if it can't be written.
    }
  };
}
