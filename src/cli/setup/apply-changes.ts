import { readFile, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { describeError } from "../../basics/issue.ts";
import { makeFolder } from "../../stores/make-folder.ts";
import { explainWriting, writeTogether, writeWhole } from "../../stores/write-together.ts";
import { Failure } from "../failure.ts";
import { unwrap } from "../input.ts";
import type { FileChange } from "./change.ts";

export interface ChangeOutcome {
  readonly file: string;
  readonly changed: boolean;
  /** The copy of the file from before. */
  readonly backup?: string;
}

interface Planned extends ChangeOutcome {
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
      return {
        file,
        before,
        after,
        changed,
        ...(before !== undefined && changed && { backup: backupOf(file) }),
      };
    }),
  );
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

/** Restores the files; if somebody has changed one since, removes only our additions. */
export async function undoChanges(changes: readonly FileChange[]): Promise<readonly ChangeOutcome[]> {
  const outcomes: ChangeOutcome[] = [];
  for (const change of changes) {
    const { file } = change;
    const text = await readText(file);
    if (text === undefined) {
      outcomes.push({ file, changed: false });
      continue;
    }
    const backup = await readText(backupOf(file));
    const made = change.add(backup);
    const isUntouched = made.ok && made.value === text && text !== backup;
    const after = isUntouched ? backup : at(file, change.remove(text));
    try {
      if (after === undefined) await rm(file);
      else if (after !== text) await writeWhole(file, after);
      if (backup !== undefined && after !== text) await rm(backupOf(file));
    } catch (error) {
      throw new Failure(`${file} can't be written: ${explainWriting(error)}.`);
    }
    outcomes.push({ file, changed: after !== text });
  }
  return outcomes;
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

function at(file: string, result: ReturnType<FileChange["add"]>): string {
  return unwrap(result.ok ? result : { ok: false, issue: { ...result.issue, where: file } });
}
