import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Files below a folder, with a hash of their bytes. */
export type HomeFiles = ReadonlyMap<string, string>;

export function listFiles(folder: string): HomeFiles {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(folder, path), createHash("sha256").update(readFileSync(path)).digest("hex")];
    }),
  );
}

/** Paths that are new, gone or changed, without data that differs between runs: ids, times, numbers. */
export function changedFiles(before: HomeFiles, after: HomeFiles): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  const changed = [...paths].filter((path) => before.get(path) !== after.get(path));
  return [...new Set(changed.map(withoutIds))].sort();
}

function withoutIds(path: string): string {
  return path
    .replace(/[\w-]*coppice-client-\w+/g, "PLACE")
    .replace(/\b(?=\w*\d)[\w-]{6,}\b/g, "ID")
    .replace(/\d+/g, "N");
}

/** Files that name an address on this machine other than this one. */
export function filesNaming(folder: string, except: string): readonly string[] {
  return [...listFiles(folder).keys()].filter((path) => {
    const text = readFileSync(join(folder, path), "latin1");
    return [...text.matchAll(/127\.0\.0\.1:(\d+)/g)].some(([address]) => !except.endsWith(address));
  });
}
