import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Result } from "../basics/issue.ts";
import { isRecord } from "../basics/json.ts";
import { readText } from "../recordings/files.ts";
import { parseRecording } from "../recordings/parse-recording.ts";
import type { Recording } from "../recordings/recording.ts";
import { redactRecording } from "../recordings/redact-recording.ts";
import { withSubagents } from "../recordings/with-subagents.ts";
import { redact } from "../redaction/redact.ts";
import { findSubagents } from "./find-sessions.ts";
import { exportStored, splitStored } from "./opencode-database.ts";

export interface ReadOptions {
  /** Are secrets masked before anything is made from the session? */
  readonly masked?: boolean;
  /** The sessions of its subagents; searched if not given. */
  readonly subagents?: readonly string[];
}

/** Reads a session from any place of an agent, with the costs of its subagents. Never throws. */
export async function readSession(
  path: string,
  { masked = false, subagents }: ReadOptions = {},
): Promise<Result<Recording>> {
  const own = await readOne(path, masked);
  if (!own.ok) return own;
  const paths = subagents ?? (await findSubagents(path));
  const others = await Promise.all(paths.map((each) => readOne(each, masked)));
  const read = others.flatMap((other) => (other.ok ? [other.value] : []));
  return { ok: true, value: withSubagents(own.value, read) };
}

async function readOne(path: string, masked: boolean): Promise<Result<Recording>> {
  const read = await readExport(path);
  if (!read.ok) return read;
  return masked
    ? parseRecording(redactRecording(read.value).text, redact(path))
    : parseRecording(read.value, path);
}

/** The session's text, as its agent wrote it or would export it. */
async function readExport(path: string): Promise<Result<string>> {
  const stored = splitStored(path);
  if (stored) return exportStored(stored.database, stored.session);
  const whole = resolve(path);
  const file = /[\\/](ses_\w+)\.json$/.exec(whole);
  const storage = /^(.*[\\/]storage)[\\/]session[\\/]/.exec(whole.slice(0, file?.index ?? 0));
  return storage ? joinFiles(path, storage[1] ?? "", file?.[1] ?? "") : readText(path);
}

/**
 * OpenCode keeps a session in many small files; joined, they equal the output of `opencode export`.
 *
 *   storage/session/<project>/ses_1.json, message/ses_1/msg_1.json, part/msg_1/prt_1.json
 */
async function joinFiles(path: string, storage: string, session: string): Promise<Result<string>> {
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
  return { ok: true, value: JSON.stringify(exported) };
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
