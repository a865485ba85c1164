import { closeSync, openSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { loadSqlite } from "./load-sqlite.ts";
import { LostStore } from "./lost-store.ts";
import { makeFolder } from "./make-folder.ts";
import { type Dialect, MIGRATIONS } from "./sql.ts";
import { type Bound, type Connection, type SqlRow, sqlStore } from "./sql-store.ts";
import type { SqliteDatabase, SqliteDriver } from "./sqlite-driver.ts";
import { readSqliteHeader } from "./sqlite-header.ts";
import type { Store } from "./store.ts";

export interface SqliteOptions {
  /** The file's path. The file and its folder are made if they do not exist. */
  readonly path: string;
  /** The clock that decides which rows are old. */
  readonly now?: () => number;
}

/** A database, and how to wait while another process has locked it. */
interface Handle {
  readonly database: SqliteDatabase;
  /** Frees resources that closed databases may still hold. */
  release(): Promise<void>;
  /** Retries while another process has locked the file. */
  patiently<T>(work: () => T): Promise<T>;
}

type Migrations = typeof MIGRATIONS;

const DIALECT: Dialect = {
  parameter: (number) => `?${number}`,
  list: (parameter) => `(SELECT value FROM json_each(${parameter}))`,
};

/** "Copp": marks an SQLite file as ours. */
const APPLICATION = 0x436f7070;
/** How long SQLite waits for another process's lock, in milliseconds. It blocks this whole process. */
const WAIT_IN_SQLITE = 20;
/** After that, we wait ourselves, with pauses in which other work continues. */
const WAIT_IN_ALL = 5_000;

/**
 * Files that this process has opened, by `identify`. They are known to be ours, and must not be read directly:
 * closing a file releases all locks that the process holds on it, including SQLite's
 * (https://www.sqlite.org/howtocorrupt.html, 2.2).
 */
const opened = processWide("coppice: SQLite files", () => new Set<string>());

/**
 * A store in a file, for one machine: any number of processes may use it at once.
 *
 * Acknowledged writes survive a crash of the process (`synchronous = NORMAL`, WAL: the operating system has them).
 * A power failure may lose the last rows before it, but never damages the file.
 *
 * @throws if the file can't be used. A file that is not ours, or that a newer Coppice wrote, is not changed.
 */
export async function sqliteStore(
  { path, now = Date.now }: SqliteOptions,
  migrations: Migrations = MIGRATIONS,
  load: () => Promise<SqliteDriver> = loadSqlite,
): Promise<Store> {
  const driver = await load();
  // Absolute, so that a path is never mistaken for a server's address.
  const file = resolve(path);
  const identity = claim(file, migrations);
  const database = driver.open(file);
  try {
    database.exec(`PRAGMA busy_timeout = ${WAIT_IN_SQLITE}`);
    const handle: Handle = {
      database,
      release: async () => driver.release?.(),
      patiently: (work) => patiently(work, driver),
    };
    await prepare(handle, file, migrations);
    return await sqlStore(
      connect(handle, () => checkPlace(file, identity)),
      now,
    );
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Checks the file, or makes it, readable only for its owner. Returns its identity. */
function claim(file: string, migrations: Migrations): string {
  makeFolder(dirname(file), 0o700);
  const known = identify(file);
  if (known !== undefined && opened.has(known)) return known;
  const header = readSqliteHeader(file);
  if (header.kind === "other") throw refuse(file, "is not a SQLite database");
  if (header.kind === "sqlite") check(file, header, migrations);
  else createFile(file);
  const identity = identify(file) ?? "";
  opened.add(identity);
  return identity;
}

/** @throws if the path now leads to another file than the open one, whose writes would be lost */
function checkPlace(file: string, identity: string): void {
  if (identify(file) !== identity)
    throw new LostStore(`${file} was deleted, moved or replaced while it was open`);
}

/** The same for every path to the same file; `undefined` if it does not exist. */
function identify(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}

interface State {
  readonly application: number;
  readonly version: number;
  readonly hasTables: boolean;
}

function check(file: string, { application, version, hasTables }: State, migrations: Migrations): void {
  if (application !== APPLICATION && (application !== 0 || hasTables))
    throw refuse(file, "is another program's database");
  if (version > migrations.length)
    throw refuse(
      file,
      `was written by a newer version of Coppice (schema version ${version}; this version knows ${migrations.length})`,
    );
}

function refuse(file: string, why: string): Error {
  return new Error(`${file} ${why}. It was not changed: move it away, or choose another path`);
}

/**
 * Brings the file to the newest schema. Safe with several processes at once: the first one migrates, the others
 * find it done.
 */
async function prepare({ database, patiently }: Handle, file: string, migrations: Migrations): Promise<void> {
  // The header does not show data that is only in the WAL.
  check(file, await patiently(() => readAtOnce(database)), migrations);
  await patiently(() => database.exec("PRAGMA journal_mode = WAL"));
  database.exec("PRAGMA synchronous = NORMAL");
  if (readState(database).version === migrations.length) return;
  await patiently(() =>
    transact(database, () => {
      const state = readState(database);
      check(file, state, migrations);
      for (const statement of migrations.slice(state.version).flat()) database.exec(statement);
      database.exec(`PRAGMA application_id = ${APPLICATION}`);
      database.exec(`PRAGMA user_version = ${migrations.length}`);
    }),
  );
  // So that the file itself records its type and version.
  checkpoint(database);
}

/** In one transaction: between two queries, another process could make the tables. */
function readAtOnce(database: SqliteDatabase): State {
  database.exec("BEGIN");
  try {
    return readState(database);
  } finally {
    endTransaction(database);
  }
}

function readState(database: SqliteDatabase): State {
  const read = (text: string) => Number(Object.values(database.prepare(text)()[0] ?? {})[0]);
  return {
    application: read("PRAGMA application_id"),
    version: read("PRAGMA user_version"),
    hasTables: read("SELECT count(*) FROM sqlite_master") > 0,
  };
}

function connect({ database, patiently, release }: Handle, checkPlace: () => void): Connection {
  const statements = new Map<string, ReturnType<SqliteDatabase["prepare"]>>();
  const run = ({ text, values }: Bound): readonly SqlRow[] => {
    const statement = statements.get(text) ?? database.prepare(text);
    statements.set(text, statement);
    return statement(values);
  };
  const checked = <T>(work: () => T): T => {
    checkPlace();
    return work();
  };
  return {
    dialect: DIALECT,
    query: (statement) => patiently(() => checked(() => run(statement))),
    transact: (bound) => patiently(() => checked(() => transact(database, () => bound.forEach(run)))),
    async close() {
      checkpoint(database);
      // A statement that still exists keeps the file open.
      statements.clear();
      database.close();
      await release();
    },
  };
}

function transact(database: SqliteDatabase, work: () => void): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    work();
    database.exec("COMMIT");
  } catch (error) {
    endTransaction(database);
    throw error;
  }
}

/** Rolls back. After an error, SQLite may have done so itself: then there is nothing to roll back. */
function endTransaction(database: SqliteDatabase): void {
  try {
    database.exec("ROLLBACK");
  } catch {}
}

async function patiently<T>(work: () => T, { isBusy }: SqliteDriver): Promise<T> {
  const until = performance.now() + WAIT_IN_ALL;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
    }
    await wait(1 + Math.random() * 10);
  }
}

/** Moves the WAL into the file. Optional, and it fails if another process is busy with it. */
function checkpoint(database: SqliteDatabase): void {
  try {
    database.prepare("PRAGMA wal_checkpoint(TRUNCATE)")();
  } catch {}
}

function createFile(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    // Another process was faster, or there was an empty file.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

/** One per process, even if several copies of this module are loaded: each plugin's bundle has its own. */
function processWide<T>(name: string, make: () => T): T {
  const key = Symbol.for(name);
  const place = globalThis as { [key]?: T };
  place[key] ??= make();
  return place[key];
}
