import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { fingerprint, parseRestoreFile, type RestoreFile } from "../recordings/restore-file.ts";
import { Failure } from "./failure.ts";
import { STANDARD, unwrap } from "./input.ts";
import { isStream } from "./output.ts";

/** The folder of restore files when the output is a pipe or a device, with no file next to which they could be. */
export function restoreFolder(env: NodeJS.ProcessEnv = process.env): string {
  return join(env.XDG_DATA_HOME || join(homedir(), ".local/share"), "coppice/restore-files");
}

/**
 * The place of a pruned text's restore file: next to its file, or else in `restoreFolder` under the hash of the
 * text.
 */
export function placeRestoreFile(output: string | undefined, restoreFile: RestoreFile): string {
  return output === undefined || output === STANDARD || isStream(output)
    ? join(restoreFolder(), `${restoreFile.pruned.hash}.json`)
    : `${output}.restore.json`;
}

export function formatRestoreFile(restoreFile: RestoreFile): string {
  return `${JSON.stringify(restoreFile)}\n`;
}

/** Pruning a file a second time must not overwrite the restore file of the first time. */
export async function refuseToOverwrite(path: string, text: string): Promise<void> {
  const there = existsSync(path) ? await readRestoreFile(path) : undefined;
  if (!there || there.edits.length === 0 || !belongs(there, text)) return;
  throw new Failure(
    `This session was pruned before, and ${path} holds what was cut then. Restore it first (coppice restore), or name another restore file with --restore-file.`,
  );
}

/**
 * The restore file of a pruned text: the one in the options, the one next to the file, or the one in
 * `restoreFolder`.
 */
export async function findRestoreFile(
  text: string,
  path: string,
  named: string | undefined,
): Promise<RestoreFile | undefined> {
  if (named !== undefined) return readRestoreFile(named);
  for (const place of listPlaces(text, path)) {
    const restoreFile = existsSync(place) ? await readRestoreFile(place) : undefined;
    if (restoreFile && belongs(restoreFile, text)) return restoreFile;
  }
  return undefined;
}

export function listPlaces(text: string, path: string): readonly string[] {
  const stored = join(restoreFolder(), `${fingerprint(text).hash}.json`);
  return path === STANDARD ? [stored] : [`${path}.restore.json`, stored];
}

async function readRestoreFile(path: string): Promise<RestoreFile> {
  let json: string;
  try {
    json = await readFile(path, "utf8");
  } catch (error) {
    throw new Failure(
      `${path}: the restore file can't be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const parsed = parseRestoreFile(json);
  return unwrap(parsed.ok ? parsed : { ok: false, issue: { ...parsed.issue, where: path } });
}

/** Compares only the beginning: text may have been appended to the file since. */
function belongs({ pruned }: RestoreFile, text: string): boolean {
  return fingerprint(text.slice(0, pruned.length)).hash === pruned.hash;
}
