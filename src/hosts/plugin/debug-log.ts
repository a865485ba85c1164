import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

/** One line per event, as JSON. Nothing here throws. */
export function createDebugLog(file: string): (event: object) => void {
  return (event) => {
    try {
      mkdirSync(dirname(file), { recursive: true });
      appendFileSync(file, `${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`);
    } catch {
      // Work goes on without a log that can't be written.
    }
  };
}
