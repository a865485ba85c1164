import { readFile, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { describeError, type Result } from "../../basics/issue.ts";
import { makeFolder } from "../../stores/make-folder.ts";
import { explainWriting, writeTogether, writeWhole } from "../../stores/write-together.ts";
import { Failure } from "../failure.ts";
import { unwrap } from "../input.ts";
import type { FileChange } from "./change.ts";

export interface ChangeOutcome {
  readonly file: string;
  readonly changed: boolean;
  /** The copy of the file from before the change. */
  readonly backup?: string;
  /** Why the change could not be undone, and what to do. */
  readonly problem?: string;
}

export interface Planned extends ChangeOutcome {
  readonly before: string | undefined;
  readonly after: string;
}

/** Computes the results of the changes. @throws if one can't be made */
export async function planChanges(changes: readonly FileChange[]): Promise<readonly Planned[]> {
  return Promise.all(
    changes.map(async (change) => {
      const { file } = change;
      const before = await readText(file);
      const after = at(file, change.add(before));
      const changed = after !== before;
      const isKept =
        !change.isOwn && changed && before !== undefined && !(await isOurs(change, before, after));
      return { file, before, after, changed, ...(isKept && { backup: backupOf(file) }) };
    }),
  );
}

/**
 * Returns true if only `init` has changed the file since the copy beside it was made, or created the file. Then an
 * earlier `init` wrote part of the change, and the copy still is the original file.
 */
async function isOurs(change: FileChange, before: string, after: string): Promise<boolean> {
  const copy = await readText(backupOf(change.file));
  const whole = change.add(copy);
  const without = change.remove(before, copy);
  return whole.ok && whole.value === after && without.ok && without.value !== before;
}

/** Makes all changes, or none. */
export async function applyChanges(planned: readonly Planned[]): Promise<void> {
  let last = "";
  try {
    await writeTogether(async (put) => {
      for (const { file, after, backup } of planned.filter(({ changed }) => changed)) {
        last = file;
        makeFolder(dirname(file));
        // It may contain keys: the copy must not be readable for more users than the file.
        if (backup !== undefined) await put(backup, await readFile(file), (await stat(file)).mode & 0o777);
        await put(file, after);
      }
    });
  } catch (error) {
    throw new Failure(`nothing was changed: ${last} can't be written: ${explainWriting(error)}.`);
  }
}

/**
 * Restores the files. If somebody has changed a file since, only removes what was added. If a file can't be restored,
 * its outcome has the problem, and the others are restored.
 */
export async function undoChanges(changes: readonly FileChange[]): Promise<readonly ChangeOutcome[]> {
  const outcomes: ChangeOutcome[] = [];
  for (const change of changes) {
    try {
      outcomes.push({ file: change.file, changed: await undoChange(change) });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      outcomes.push({ file: change.file, changed: false, problem: error.message });
    }
  }
  return outcomes;
}

/** Returns true if there was something to undo. */
async function undoChange(change: FileChange): Promise<boolean> {
  const { file } = change;
  const text = await readText(file);
  if (text === undefined) return false;
  const copy = change.isOwn ? undefined : await readText(backupOf(file));
  const rest = at(file, change.remove(text, copy));
  const made = change.add(copy);
  // Only a part may have been written, or a part may be gone. So this compares what is left without it.
  const isUntouched =
    made.ok && rest !== text && (made.value === text || isEqual(change.remove(made.value, copy), rest));
  const after = isUntouched ? copy : rest;
  try {
    if (after === undefined) await rm(file);
    else if (after !== text) await writeWhole(file, after);
    if (copy !== undefined && after !== text) await rm(backupOf(file));
  } catch (error) {
    throw new Failure(`${file} can't be written: ${explainWriting(error)}.`);
  }
  return after !== text;
}

function isEqual(result: ReturnType<FileChange["remove"]>, text: string | undefined): boolean {
  return result.ok && result.value === text;
}

export function backupOf(file: string): string {
  return `${file}.before-coppice`;
}

/** @throws if the file exists but is unreadable, or if its bytes would change */
async function readText(file: string): Promise<string | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new Failure(`${file} can't be read: ${describeError(error)}`);
  }
  const text = bytes.toString("utf8");
  if (!Buffer.from(text).equals(bytes)) throw new Failure(`${file}: nothing was changed: it is not UTF-8`);
  return text;
}

function at<T>(file: string, result: Result<T>): T {
  return unwrap(result.ok ? result : { ok: false, issue: { ...result.issue, where: file } });
}
