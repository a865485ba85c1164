import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Result } from "../basics/issue.ts";
import { isRecord } from "../basics/json.ts";
import { readText } from "../recordings/files.ts";
import { parseRecording } from "../recordings/parse-recording.ts";
import type { Recording } from "../recordings/recording.ts";
import { redactRecording } from "../recordings/redact-recording.ts";
import { redact } from "../redaction/redact.ts";

/** Reads a session wherever an agent keeps it, `masked` before anything is made of it. Never throws. */
export async function readSession(path: string, masked = false): Promise<Result<Recording>> {
  const whole = resolve(path);
  const file = /[\\/](ses_\w+)\.json$/.exec(whole);
  const storage = /^(.*[\\/]storage)[\\/]session[\\/]/.exec(whole.slice(0, file?.index ?? 0));
  const read = storage ? await readStored(path, storage[1] ?? "", file?.[1] ?? "") : await readText(path);
  if (!read.ok) return read;
  return masked
    ? parseRecording(redactRecording(read.value).text, redact(path))
    : parseRecording(read.value, path);
}

/**
 * OpenCode keeps a session in many small files; put together they are what `opencode export` gives.
 *
 *   storage/session/<project>/ses_1.json, message/ses_1/msg_1.json, part/msg_1/prt_1.json
 */
async function readStored(path: string, storage: string, session: string): Promise<Result<string>> {
  const [info] = await readFiles([path]);
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
  return readFiles(
    names
      .filter((name) => name.endsWith(".json"))
      .sort()
      .map((name) => join(folder, name)),
  );
}

/** Files that can't be read are left out. */
async function readFiles(paths: readonly string[]): Promise<readonly unknown[]> {
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
