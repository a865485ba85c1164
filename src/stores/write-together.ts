import { randomBytes } from "node:crypto";
import { chmod, chown, realpath, rename, rm, stat, writeFile } from "node:fs/promises";

/**
 * Adds one file. Without a `mode`, it gets the mode of the file that it replaces; a new file is readable only for
 * its owner.
 */
export type Put = (path: string, content: string | Uint8Array, mode?: number) => Promise<void>;

interface Draft {
  readonly draft: string;
  readonly target: string;
}

/**
 * Writes several files completely, or none. Existing files stay unchanged until all new ones are complete on disk;
 * a replaced file keeps its owner. Links are followed. Anything that is not a regular file (a pipe, a device) is
 * written directly.
 *
 * @throws the error, with nothing half-written left.
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
      // Only root may change a file's owner, and only root needs to.
      if (there) await chown(draft, there.uid, there.gid).catch(() => {});
    });
    for (const { draft, target } of drafts) await rename(draft, target);
  } catch (error) {
    for (const { draft } of drafts) await rm(draft, { force: true }).catch(() => {});
    throw error;
  }
}

/** Writes one file completely, or not at all. @throws the error */
export function writeWhole(path: string, content: string | Uint8Array, mode?: number): Promise<void> {
  return writeTogether((put) => put(path, content, mode));
}

/** Words for a sentence that has named the file: `the disk is full`. */
export function explainWriting(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return WORDS[code] ?? (error instanceof Error ? error.message : String(error));
}

const WORDS: Readonly<Record<string, string>> = {
  EACCES: "no permission to write there",
  EPERM: "no permission to write there",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "your disk quota is used up",
  ENOENT: "its folder does not exist and can't be created",
  ENOTDIR: "its folder's path is a file",
  EEXIST: "its folder's path is a file",
  EISDIR: "it is a folder",
};
