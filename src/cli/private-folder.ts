import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRunning } from "./is-running.ts";

/** Files that only this user can read, for as long as a command runs. */
export interface PrivateFolder {
  /** Creates the folder if it does not exist. Returns its path. */
  open(): string;
  /** Returns the path. */
  keep(name: string, text: string): string;
  dispose(): void;
}

/** The folder is created with its first file. Folders of killed commands are deleted by the next command. */
export function openPrivateFolder(place: string = tmpdir()): PrivateFolder {
  let folder: string | undefined;
  const open = (): string => {
    if (folder === undefined) sweep(place);
    folder ??= mkdtempSync(join(place, `${PREFIX}${process.pid}-`));
    return folder;
  };
  return {
    open,
    keep(name, text) {
      const path = join(open(), name);
      writeFileSync(path, text, { mode: 0o600 });
      return path;
    },
    dispose() {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

const PREFIX = "coppice-wrap-";

function sweep(place: string): void {
  for (const name of readdirSync(place)) {
    const [, pid] = /^coppice-wrap-(\d+)-\w+$/.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    try {
      rmSync(join(place, name), { recursive: true, force: true });
    } catch {
      // Belongs to another user.
    }
  }
}
