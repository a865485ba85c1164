import { open } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Result } from "../basics/issue.ts";
import {
  decodeRecordingText,
  type RecordingText,
  readRecordingText,
  writeRecordingText,
} from "../recordings/files.ts";
import { Failure } from "./failure.ts";

/** The file name that means standard input or output. */
export const STANDARD = "-";

export async function readInput(path: string): Promise<RecordingText> {
  const read =
    path === STANDARD
      ? await decodeRecordingText(await readStandardInput(), "standard input")
      : await readRecordingText(path);
  return unwrap(read);
}

/** Writes the output, gzipped if the input was. A file is written whole or not at all. */
export async function writeOutput(path: string | undefined, content: RecordingText): Promise<void> {
  if (path !== undefined && path !== STANDARD) return attempt(path, () => writeRecordingText(path, content));
  const bytes = content.packed ? await promisify(gzip)(content.text) : Buffer.from(content.text, "utf8");
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

/** Writes a file that only this user can read, also where there was one that others could. */
export async function writePrivately(path: string, text: string): Promise<void> {
  await attempt(path, async () => {
    const file = await open(path, "w", 0o600);
    try {
      // Not a pipe or a device; and another user's file keeps the mode that its owner gave it.
      const there = await file.stat();
      if (there.isFile() && there.uid === process.getuid?.()) await file.chmod(0o600);
      await file.writeFile(text);
    } finally {
      await file.close();
    }
  });
}

/** The value; a failed result ends the command. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  const { where, message } = result.issue;
  throw new Failure(where === undefined ? message : `${where}: ${message}`);
}

async function readStandardInput(): Promise<Buffer> {
  if (process.stdin.isTTY)
    throw new Failure(
      "Nothing comes from standard input: name a file, or pipe a session into this command.",
      2,
    );
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

async function attempt(path: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Failure(`${path} can't be written: ${why}. Choose another place with -o.`);
  }
}
