import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Result } from "../basics/issue.ts";
import { isRecord } from "../basics/json.ts";
import { readRecording } from "../recordings/files.ts";
import { parseRecording } from "../recordings/parse-recording.ts";
import type { Recording } from "../recordings/recording.ts";
import { withSubagents } from "../recordings/with-subagents.ts";
import { findSubagents } from "./find-sessions.ts";
import { readStored, splitStored } from "./opencode-database.ts";

/**
 * Reads a session wherever an agent keeps it, with what its subagents did. Never throws.
 *
 * @param subagents where they are; looked for unless they are known.
 */
export async function readSession(path: string, subagents?: readonly string[]): Promise<Result<Recording>> {
  const own = await readOne(path);
  if (!own.ok) return own;
  const others = await Promise.all((subagents ?? (await findSubagents(path))).map(readOne));
  return {
    ok: true,
    value: withSubagents(
      own.value,
      others.flatMap((other) => (other.ok ? [other.value] : [])),
    ),
  };
}

async function readOne(path: string): Promise<Result<Recording>> {
  const stored = splitStored(path);
  if (stored) return readStored(stored.database, stored.session);
  const whole = resolve(path);
  const file = /[\\/](ses_\w+)\.json$/.exec(whole);
  const storage = /^(.*[\\/]storage)[\\/]session[\\/]/.exec(whole.slice(0, file?.index ?? 0));
  return storage ? readFiles(path, storage[1] ?? "", file?.[1] ?? "") : readRecording(path);
}

/**
 * OpenCode keeps a session in many small files; put together they are what `opencode export` gives.
 *
 *   storage/session/<project>/ses_1.json, message/ses_1/msg_1.json, part/msg_1/prt_1.json
 */
async function readFiles(path: string, storage: string, session: string): Promise<Result<Recording>> {
  const [info] = await readJson([path]);
  const messages = await readFolder(join(storage, "message", session));
  const parts = await Promise.all(
    messages.map((message) =>
      isRecord(message) && typeof message.id === "string"
        ? readFolder(join(storage, "part", message.id))
        : [],
    ),
  );
  const exported = { info, messages: messages.map((message, i) => ({ info: message, parts: parts[i] })) };
  return parseRecording(JSON.stringify(exported), path);
}

/** In the order of their names, which is the order in which they were written. */
async function readFolder(folder: string): Promise<readonly unknown[]> {
  const names = await readdir(folder).catch(() => []);
  return readJson(
    names
      .filter((name) => name.endsWith(".json"))
      .sort()
      .map((name) => join(folder, name)),
  );
}

/** Files that can't be read are left out. */
async function readJson(paths: readonly string[]): Promise<readonly unknown[]> {
  const read = await Promise.all(
    paths.map(async (path): Promise<readonly unknown[]> => {
      try {
        return [JSON.parse(await readFile(path, "utf8"))];
      } catch {
        return [];
      }
    }),
  );
  return read.flat();
}
