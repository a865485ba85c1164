import type { Result } from "../basics/issue.ts";
import { decodeRecordingText, type RecordingText, readRecordingText } from "../recordings/files.ts";
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

/** The value; a failed result ends the command. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  const { where, message } = result.issue;
  throw new Failure(where === undefined ? message : `${where}: ${message}`);
}

async function readStandardInput(): Promise<Buffer> {
  if (process.stdin.isTTY)
    throw new Failure("Standard input is a terminal: name a file, or pipe a session into this command.", 2);
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
