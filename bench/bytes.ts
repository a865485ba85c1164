/**
 * A hash of all that `prune` gives on recorded sessions, request by request, under several settings:
 *
 *   npm run bench:bytes -- FOLDER > before.txt      # on both commits, then compare
 *
 * A change that is meant to change nothing leaves every line as it was.
 */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { createPruner, type PrunerOptions } from "../src/index.ts";
import { readRecording } from "../src/recordings/files.ts";
import { listSessions } from "./economics/sessions.ts";

const SETTINGS: Readonly<Record<string, PrunerOptions>> = {
  default: {},
  "agent tools, eager": { agentTools: true, config: { schedule: { mode: "eager" } } },
  "compact, small window": {
    agentTools: true,
    config: {
      window: 24_000,
      strategies: { purgeErrors: { enabled: true }, aggressivePruning: { preset: "compact" } },
    },
  },
};

/** The order of an object's keys is no part of what is compared. */
function sortKeys(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Of long sessions every request at first, then some. */
const FIRST = 40;
const STRIDE = 7;

for (const file of listSessions(process.argv.slice(2), undefined)) {
  const read = await readRecording(file);
  if (!read.ok) {
    console.log(`${basename(file)}  ${read.issue.code}`);
    continue;
  }
  const { format, segments } = read.value;
  for (const [name, options] of Object.entries(SETTINGS)) {
    const hash = createHash("sha256");
    let requests = 0;
    for (const { messages, meta, carried } of segments) {
      const pruner = createPruner({ ...options, format });
      // Every message is the end of a request here: more of them than were made, and each is held to the same bytes.
      for (let end = 1; end <= messages.length; end++) {
        if (end > FIRST && end % STRIDE !== 0 && end !== messages.length) continue;
        const { messages: sent, report } = pruner.prune(messages.slice(0, end), { meta, carried });
        const { edits, waiting, tokens, pressure, bill, cut } = report;
        hash.update(JSON.stringify([sent, edits, waiting, tokens, pressure, bill, cut], sortKeys));
        requests++;
      }
    }
    console.log(`${basename(file)}  ${name}  ${requests} requests  ${hash.digest("hex").slice(0, 16)}`);
  }
}
