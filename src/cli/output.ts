import { realpathSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import { packText, type RecordingText } from "../recordings/files.ts";
import { makeFolder } from "../stores/make-folder.ts";
import { explainWriting, type Put, writeTogether } from "../stores/write-together.ts";
import { Failure } from "./failure.ts";
import { STANDARD } from "./input.ts";

/**
 * The bytes of an output. A file name decides: gzip if it ends in `.gz`, or else plain text. Standard output has no
 * name, and a file that is overwritten keeps its form: both are gzipped if the input was.
 */
export async function encodeOutput(
  path: string | undefined,
  { text, packed }: RecordingText,
  input: string,
): Promise<string | Uint8Array> {
  const isNamed = path !== undefined && path !== STANDARD && !isSameFile(path, input);
  return (isNamed ? /\.gz$/i.test(path) : packed) ? packText(text) : text;
}

/** Writes to a file, or to standard output. */
export async function writeOutput(path: string | undefined, content: string | Uint8Array): Promise<void> {
  if (path !== undefined && path !== STANDARD) return writeFiles((put) => put(path, content));
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(content, (error) => (error ? reject(error) : resolve()));
  });
}

/**
 * Writes files, all of them completely, or none. Creates their folders. A file that can't be written ends the
 * command.
 */
export async function writeFiles(
  write: (put: Put) => Promise<void>,
  advice: string = ELSEWHERE,
): Promise<void> {
  let last = "";
  try {
    await writeTogether((put) =>
      write((path, content, mode) => {
        last = path;
        if (!statOf(path)) makeFolder(dirname(path), 0o700);
        return put(path, content, mode);
      }),
    );
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`${last} can't be written: ${explainWriting(error)}. ${advice}`);
  }
}

const ELSEWHERE = "Choose another place with -o.";

/** Does it exist without being a regular file (a pipe, a device)? Then no other file can be placed next to it. */
export function isStream(path: string): boolean {
  const there = statOf(path);
  return there !== undefined && !there.isFile() && !there.isDirectory();
}

/** `undefined`: it does not exist, or can't exist. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

function isSameFile(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}
