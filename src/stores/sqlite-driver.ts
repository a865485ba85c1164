import type { Value } from "./sql.ts";
import type { SqlRow } from "./sql-store.ts";

/** A library that knows SQLite, as far as a store needs it. Everything is done when the call returns. */
export interface SqliteDriver {
  readonly name: "libsql" | "node:sqlite" | "bun:sqlite";
  /** Opens a file by its absolute path; to be read only, where it is another program's: then nothing can be written to it. */
  open(file: string, access?: "read-only"): SqliteDatabase;
  /** Frees what databases still hold after they were closed, where the library does not. */
  release?(): Promise<void>;
  /** Was it thrown because another process has the file? */
  isBusy(error: unknown): boolean;
}

export interface SqliteDatabase {
  /** One statement or several, without values. */
  exec(text: string): void;
  /** To be called with the values of its parameters (`?1`, `?2` …) in their order. */
  prepare(text: string): (values?: readonly Value[]) => readonly SqlRow[];
  close(): void;
}

/** By the name of SQLite's result code, as libraries put it into `code`: `SQLITE_BUSY_SNAPSHOT`. */
export function hasBusyName(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return /^SQLITE_(?:BUSY|LOCKED|PROTOCOL)/.test(code);
}
