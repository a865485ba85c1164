import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach } from "vitest";

export interface TestFolder {
  readonly path: string;
  /** Gives the path of the file. */
  write(name: string, text: string): string;
}

/** An empty folder for each test of the file. */
export function useFolder(prefix: string): TestFolder {
  let path = "";
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), prefix));
  });
  afterEach(() => rmSync(path, { recursive: true }));
  return {
    get path() {
      return path;
    },
    write(name, text) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
  };
}
