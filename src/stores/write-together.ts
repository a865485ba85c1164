import { randomBytes } from "node:crypto";
import { chmod, chown, realpath, rename, rm, stat, writeFile } from "node:fs/promises";

/** Takes one file. Without a `mode` it has that of the file that it replaces; a new one is for its owner's eyes. */
export type Put = (path: string, content: string | Uint8Array, mode?: number) => Promise<void>;

interface Draft {
  readonly draft: string;
  readonly target: string;
}

/**
 * Writes several files, each of them whole, or none. The files that are there stay as they are until all new ones are
 * complete on the disk; a file that is replaced keeps its owner. A link is followed. What is no file (a pipe, a device)
 * is written to at once.
 *
 * @throws what went wrong, with nothing half-written left.
 */
export async function writeTogether(write: (put: Put) => Promise<void>): Promise<void> {
  const drafts: Draft[] = [];
  try {
    await write(async (path, content, mode) => {
      const target = await realpath(path).catch(() => path);
      const there = await stat(target).catch(() => undefined);
      if (there && !there.isFile()) return writeFile(target, content);
      const draft = `${target}.${randomBytes(4).toString("hex")}.coppice-draft`;
      drafts.push({ draft, target });
      await writeFile(draft, content, { flag: "wx", flush: true, mode: 0o600 });
      await chmod(draft, mode ?? (there ? there.mode & 0o777 : 0o600));
      // Only root may give a file away, and only root has to.
      if (there) await chown(draft, there.uid, there.gid).catch(() => {});
    });
    for (const { draft, target } of drafts) await rename(draft, target);
  } catch (error) {
    for (const { draft } of drafts) await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
}

/** One file, whole or not at all. @throws what went wrong */
export function writeWhole(path: string, content: string | Uint8Array, mode?: number): Promise<void> {
  return writeTogether((put) => put(path, content, mode));
}

/** In words, for a sentence that has named the file: `the disk is full`. */
export function explainWriting(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return WORDS[code] ?? (error instanceof Error ? error.message : String(error));
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: "writing there is not allowed",
  EPERM: "writing there is not allowed",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "your share of the disk is full",
  ENOENT: "its folder is not there and can't be made",
  ENOTDIR: "a file stands where its folder should be",
  EEXIST: "a file stands where its folder should be",
  EISDIR: "it is a folder",
};
