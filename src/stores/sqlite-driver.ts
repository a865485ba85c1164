import type { Value } from "./sql.ts";
import type { SqlRow } from "./sql-store.ts";

/** An SQLite library, as far as a store needs it. All calls are synchronous. */
export interface SqliteDriver {
  readonly name: "libsql" | "node:sqlite" | "bun:sqlite";
  /** Opens a file by its absolute path. `read-only` is for other programs' files: nothing can be written to them. */
  open(file: string, access?: "read-only"): SqliteDatabase;
  /** Frees resources of closed databases that the library still holds. */
  release?(): Promise<void>;
  /** Does the error mean that another process has locked the file? */
  isBusy(error: unknown): boolean;
}

export interface SqliteDatabase {
  /** Runs one or more statements without parameters. */
  exec(text: string): void;
  /** Returns a function to call with the values of the parameters (`?1`, `?2` …), in order. */
  prepare(text: string): (values?: readonly Value[]) => readonly SqlRow[];
  close(): void;
}

/** Checks the name of SQLite's result code, which libraries put into `code`: `SQLITE_BUSY_SNAPSHOT`. */
export function hasBusyName(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^SQLITE_(?:BUSY|LOCKED|PROTOCOL)/.test(code);
}
