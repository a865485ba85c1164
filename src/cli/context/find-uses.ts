import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { SessionUse } from "../../analysis/session-use.ts";
import { isRecord } from "../../basics/json.ts";
import { VERSION } from "../../basics/version.ts";
import { cacheFolder } from "../../stores/data-folder.ts";
import type { Client } from "../clients/client.ts";
import { findSessions, listSessionFolders, type SessionFile } from "../find-sessions.ts";
import { openCache } from "../result-cache.ts";
import { runTasks } from "../run-tasks.ts";
import type { Probe } from "./probe.ts";

/** The newest sessions show current use; reading a whole year's would take minutes. */
const MOST_FILES = 300;
const CACHE_SHAPE = 1;

/**
 * The tools that the user's newest sessions with a client called. Results are cached: a file that has not changed
 * is not read again.
 */
export async function findUses(client: Client, probe: Probe): Promise<readonly SessionUse[]> {
  const known = listSessionFolders().filter(({ agent }) => agent === client.title);
  const others = (probe.sessions ?? []).map((path) => join(homedir(), path));
  const { files } = await findSessions([...known.map(({ path }) => path), ...others], false);
  const newest = files.toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, MOST_FILES);
  const cache = openCache(join(cacheFolder(), "coppice/use"), JSON.stringify([VERSION, CACHE_SHAPE]));
  const uses = newest.map(({ path, stamp }) => cache.get(resolve(path), stamp));
  const missing = newest.flatMap((file, i) => (uses[i] === undefined ? [{ file, i }] : []));
  const tasks = missing.map(
    ({ file: { path, subagents = [] } }) => ({ kind: "use", path, subagents }) as const,
  );
  await runTasks(tasks, (_, index, outcome) => {
    const found = missing[index];
    if (!found) return;
    // Files without a session are not read again either.
    const value = outcome.ok ? outcome.value : {};
    uses[found.i] = value;
    cache.put(resolve(found.file.path), found.file.stamp, value);
  });
  return uses.filter(isUse);
}

/** The time is at the end of a file's stamp. */
function timeOf({ stamp }: SessionFile): number {
  const time = Number(stamp.slice(stamp.lastIndexOf("-") + 1));
  return Number.isFinite(time) ? time : 0;
}

function isUse(value: unknown): value is SessionUse {
  return isRecord(value) && Array.isArray(value.tools) && Array.isArray(value.requests);
}
