import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Issue, Result } from "../issue.ts";
import { parseRecording } from "./parse-recording.ts";
import type { Recording } from "./recording.ts";

/** Reads a recorded session from a file, plain or gzip. Never throws. */
export async function readRecording(path: string): Promise<Result<Recording>> {
  const text = await readText(path);
  return text.ok ? parseRecording(text.value, path) : text;
}

async function readText(path: string): Promise<Result<string>> {
  try {
    const bytes = await readFile(path);
    const content = isGzip(bytes) ? await promisify(gunzip)(bytes) : bytes;
    if (content.subarray(0, 8000).includes(0))
      return { ok: false, issue: unreadable(path, "it is a binary file") };
    return { ok: true, value: content.toString("utf8") };
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
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "it is a folder; name one of the files in it";
  if (code === "EACCES" || code === "EPERM") return "reading it is not allowed";
  if (code.startsWith("Z_")) return "it is gzip, but damaged or cut off";
  return error instanceof Error ? error.message : String(error);
}

function unreadable(path: string, why: string): Issue {
  const message = `${why}. What can be read: a session file of Claude Code (.jsonl), Codex (rollout-*.jsonl), pi (.jsonl) or an OpenCode export (.json), plain or gzip`;
  return { code: "unreadable-input", severity: "error", where: path, message };
}
