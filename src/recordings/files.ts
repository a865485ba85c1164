import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Issue, Result } from "../basics/issue.ts";
import { writeWhole } from "../stores/write-together.ts";
import { parseRecording } from "./parse-recording.ts";
import type { Recording } from "./recording.ts";

/** Reads a recorded session from a file, plain or gzip. Never throws. */
export async function readRecording(path: string): Promise<Result<Recording>> {
  const text = await readText(path);
  return text.ok ? parseRecording(text.value, path) : text;
}

/** The text of a recorded session's file, and whether the file is gzipped. */
export interface RecordingText {
  readonly text: string;
  readonly packed: boolean;
}

/**
 * Reads a file that will be written again. A file that is not all UTF-8 is refused: its bytes could not be restored
 * from its text. Never throws.
 */
export async function readRecordingText(path: string): Promise<Result<RecordingText>> {
  return checkText(await readContent(path), path);
}

/** `readRecordingText` for bytes from a pipe; `name` is used only for issues. */
export async function decodeRecordingText(bytes: Uint8Array, name: string): Promise<Result<RecordingText>> {
  return checkText(await tryContent(name, async () => Buffer.from(bytes)), name);
}

function checkText(content: Result<Content>, path: string): Result<RecordingText> {
  if (!content.ok) return content;
  const { bytes, packed } = content.value;
  const text = bytes.toString("utf8");
  if (!Buffer.from(text, "utf8").equals(bytes))
    return { ok: false, issue: unreadable(path, "some of its bytes are not UTF-8, and would be lost") };
  return { ok: true, value: { text, packed } };
}

/**
 * Writes the file completely or not at all: an existing file stays until the new one is complete, and its mode is
 * kept. A new file is readable only for the user, because it contains the conversation.
 */
export async function writeRecordingText(path: string, { text, packed }: RecordingText): Promise<void> {
  await writeWhole(path, packed ? await packText(text) : text);
}

export function packText(text: string): Promise<Uint8Array> {
  return promisify(gzip)(text);
}

/** The text of a file, plain or gzip. Never throws. */
export async function readText(path: string): Promise<Result<string>> {
  const content = await readContent(path);
  return content.ok ? { ok: true, value: content.value.bytes.toString("utf8") } : content;
}

interface Content {
  readonly bytes: Buffer;
  readonly packed: boolean;
}

function readContent(path: string): Promise<Result<Content>> {
  return tryContent(path, () => readFile(path));
}

async function tryContent(path: string, read: () => Promise<Buffer>): Promise<Result<Content>> {
  try {
    const content = await read();
    const packed = isGzip(content);
    const bytes = packed ? await promisify(gunzip)(content) : content;
    if (bytes.subarray(0, 8000).includes(0))
      return { ok: false, issue: unreadable(path, "it is a binary file") };
    return { ok: true, value: { bytes, packed } };
  } catch (error) {
    return { ok: false, issue: unreadable(path, explain(error)) };
  }
}

/** By its first bytes, not by its name. */
function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function explain(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT") return "the file does not exist";
  if (code === "EISDIR") return "it is a folder; name one of the files in it";
  if (code === "EACCES" || code === "EPERM") return "no permission to read it";
  if (code.startsWith("Z_")) return "it is gzip, but damaged or cut off";
  return error instanceof Error ? error.message : String(error);
}

function unreadable(path: string, why: string): Issue {
  const message = `${why}. What can be read: a recorded session of an agent (JSON or JSON lines), or plain messages, as text or gzip`;
  return { code: "unreadable-input", severity: "error", where: path, message };
}
