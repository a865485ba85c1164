import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Issue } from "../../src/basics/issue.ts";
import { NO_WORK } from "../../src/facts/work-counts.ts";
import { openStore } from "../../src/stores/open-store.ts";
import { MIGRATIONS } from "../../src/stores/sql.ts";
import { sqliteStore } from "../../src/stores/sqlite-store.ts";
import type { JournalRow } from "../../src/stores/store.ts";

const ROW: JournalRow = { key: "k", terms: { time: 1, model: "m" }, version: "0.2.0", config: "c" };
const OURS = 0x436f7070;

/** Version 1 as it was published: this text never changes. */
const VERSION_1 = `
  CREATE TABLE coppice_boundaries (key text NOT NULL PRIMARY KEY, time double precision, model text,
    context_window double precision, prefix_tokens double precision, overhead_tokens double precision, ttl double precision,
    input double precision, cache_read double precision, cache_write double precision, output double precision,
    answered_by text, version text NOT NULL, config text NOT NULL, used_at double precision NOT NULL);
  CREATE INDEX coppice_boundaries_used_at ON coppice_boundaries (used_at);
  CREATE TABLE coppice_sessions (id text NOT NULL PRIMARY KEY, client text, model text, folder text,
    started_at double precision NOT NULL, last_at double precision NOT NULL, used_at double precision NOT NULL,
    requests double precision NOT NULL, tokens_with double precision NOT NULL, tokens_without double precision NOT NULL,
    priced double precision NOT NULL, cost_with double precision NOT NULL, cost_without double precision NOT NULL,
    answered double precision NOT NULL, input double precision NOT NULL, cache_read double precision NOT NULL,
    cache_write double precision NOT NULL, output double precision NOT NULL, cuts double precision NOT NULL);
  CREATE INDEX coppice_sessions_last_at ON coppice_sessions (last_at);
  CREATE INDEX coppice_sessions_used_at ON coppice_sessions (used_at);
  CREATE TABLE coppice_days (day text NOT NULL PRIMARY KEY,
    requests double precision NOT NULL, tokens_with double precision NOT NULL, tokens_without double precision NOT NULL,
    priced double precision NOT NULL, cost_with double precision NOT NULL, cost_without double precision NOT NULL,
    answered double precision NOT NULL, input double precision NOT NULL, cache_read double precision NOT NULL,
    cache_write double precision NOT NULL, output double precision NOT NULL, cuts double precision NOT NULL);
  INSERT INTO coppice_boundaries (key, time, model, version, config, used_at)
    VALUES ('k', 1, 'm', '0.2.0', 'c', 4e12);
  INSERT INTO coppice_sessions VALUES ('s', 'pi', NULL, NULL, 1, 2, 4e12, 3, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 4);
  INSERT INTO coppice_days VALUES ('2026-11-17', 3, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 4);
  PRAGMA application_id = ${OURS};
  PRAGMA user_version = 1;`;
const NEXT = [...MIGRATIONS, ["ALTER TABLE coppice_boundaries ADD COLUMN extra text"]];

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coppice-sqlite-"));
  path = join(folder, "journal.db");
  return () => {
    if (existsSync(folder)) chmodSync(folder, 0o700);
    rmSync(folder, { recursive: true, force: true });
  };
});

/** Runs statements in a separate process, so that this one has never had the file open. */
function makeFile(file: string, statements: string, end = "database.close()"): void {
  const code = `import Database from "libsql"; const database = new Database(process.argv[1]); database.exec(process.argv[2]); ${end}`;
  try {
    execFileSync(process.execPath, ["--input-type=module", "-e", code, file, statements]);
  } catch (error) {
    if (!(error instanceof Error && "signal" in error && error.signal === "SIGKILL")) throw error;
  }
}

function readVersion(file: string): unknown {
  const database = new Database(file);
  const [row] = database.prepare("PRAGMA user_version").all();
  database.close();
  return row;
}

describe("versions of the schema", () => {
  it("opens a file of version 1, with everything in it", async () => {
    makeFile(path, VERSION_1);
    const store = await sqliteStore({ path });
    expect(await store.readRequests(["k"])).toStrictEqual([ROW]);
    const sums = {
      ...{ requests: 3, tokensWith: 1, tokensWithout: 2, priced: 0, answered: 0, cuts: 4 },
      ...{ paid: 0, pings: 0, arms: { pruned: 0, heldOut: 0 }, work: NO_WORK },
    };
    expect(await store.listSessions()).toStrictEqual([
      { id: "s", client: "pi", startedAt: 1, lastAt: 2, ...sums },
    ]);
    expect(await store.listDays()).toStrictEqual([{ day: "2026-11-17", ...sums }]);
    await store.writeRequest({ ...ROW, key: "new" });
    const work = { ...NO_WORK, requests: 1, edits: 2 };
    await store.addRequest({
      session: "s",
      time: 3,
      tokensWith: 1,
      tokensWithout: 1,
      cost: 2,
      cuts: 0,
      work,
    });
    expect(await store.listSessions()).toMatchObject([{ requests: 4, paid: 1, cost: 2, work }]);
    await store.close();
    expect(readVersion(path)).toMatchObject({ user_version: MIGRATIONS.length });
  });
  it("makes the same schema itself", async () => {
    makeFile(join(folder, "old.db"), VERSION_1);
    await (await sqliteStore({ path: join(folder, "old.db") })).close();
    await (await sqliteStore({ path })).close();
    const columns = (file: string) => {
      const database = new Database(file);
      const text = `SELECT m.name AS place, c.name AS name, c.type AS type, c."notnull" AS needed FROM sqlite_master m
        JOIN pragma_table_info(m.name) c ORDER BY 1, 2`;
      return database.prepare(text).all();
    };
    expect(columns(path)).toEqual(columns(join(folder, "old.db")));
    expect(columns(path).length).toBeGreaterThan(40);
  });
  it("accepts a file of ours that another process makes between two looks at it", async () => {
    const { prototype } = Database;
    const { prepare } = prototype;
    let isMade = false;
    prototype.prepare = function (this: Database.Database, text: string) {
      if (text === "PRAGMA user_version" && !isMade) {
        isMade = true;
        const other = new Database(path, { timeout: 1 });
        // While this one looks, the other has to wait.
        expect(() => other.exec(VERSION_1)).toThrow(/locked/);
        other.close();
      }
      return prepare.call(this, text);
    } as typeof prepare;
    try {
      await (await sqliteStore({ path })).close();
    } finally {
      prototype.prepare = prepare;
    }
    expect(isMade).toBe(true);
  });
  it("migrates forward with everything in it, several at once", async () => {
    makeFile(path, VERSION_1);
    const stores = await Promise.all([1, 2, 3].map(() => sqliteStore({ path }, NEXT)));
    for (const store of stores) expect(await store.readRequests(["k"])).toStrictEqual([ROW]);
    await Promise.all(stores.map((store) => store.close()));
    expect(readVersion(path)).toMatchObject({ user_version: NEXT.length });
  });
  it("does all of a migration or nothing", async () => {
    makeFile(path, VERSION_1);
    const broken = [...MIGRATIONS.slice(0, 1), ["CREATE TABLE coppice_extra (a)", "no SQL"]];
    await expect(sqliteStore({ path }, broken)).rejects.toThrow("syntax error");
    expect(readVersion(path)).toMatchObject({ user_version: 1 });
    const store = await sqliteStore({ path });
    expect(await store.readRequests(["k"])).toStrictEqual([ROW]);
    await store.close();
  });
});

describe("a file that can't be used is reported and not changed, byte for byte", () => {
  const files: Readonly<Record<string, readonly [make: () => void, message: string]>> = {
    "of a newer version": [
      () => makeFile(path, `${VERSION_1} PRAGMA user_version = 7`),
      "newer version of Coppice (schema version 7",
    ],
    "of a newer version, in WAL mode": [
      () =>
        makeFile(
          path,
          `PRAGMA journal_mode = WAL; ${VERSION_1} PRAGMA user_version = 7; PRAGMA wal_checkpoint`,
        ),
      "newer version of Coppice (schema version 7",
    ],
    "of another program": [() => makeFile(path, "CREATE TABLE precious (a)"), "another program's database"],
    "of another program that says so": [
      () => makeFile(path, "PRAGMA application_id = 7"),
      "another program's database",
    ],
    "of another program, with a crash behind it": [
      () =>
        makeFile(
          path,
          "CREATE TABLE precious (a); PRAGMA journal_mode = WAL; CREATE TABLE more (a)",
          "process.kill(process.pid, 'SIGKILL')",
        ),
      "another program's database",
    ],
    "of text": [() => writeFileSync(path, "Dear diary,\n".repeat(1_000)), "not a SQLite database"],
    "of one byte": [() => writeFileSync(path, "S"), "not a SQLite database"],
    "of the first bytes of a database": [
      () => writeFileSync(path, "SQLite format 3\0"),
      "not a SQLite database",
    ],
    "that is a folder": [() => mkdirSync(path), "not a SQLite database"],
    "that is a pipe": [() => execFileSync("mkfifo", [path]), "not a SQLite database"],
  };
  it.each(Object.entries(files))("%s", async (_, [make, message]) => {
    make();
    const read = () =>
      readdirSync(folder).map((name) => {
        const file = join(folder, name);
        const { mode, mtimeMs } = statSync(file);
        return [name, mode, mtimeMs, statSync(file).isFile() && readFileSync(file, "base64")];
      });
    const before = read();
    const issues: Issue[] = [];
    const store = await openStore({ kind: "sqlite", path }, { report: (issue) => issues.push(issue) });
    expect(issues).toMatchObject([
      { code: "store-unavailable", where: path, message: expect.stringContaining(message) },
    ]);
    expect(issues[0]?.message).toContain("not changed");
    await store.writeRequest(ROW);
    expect(await store.readRequests(["k"])).toStrictEqual([ROW]);
    await store.close();
    expect(read()).toEqual(before);
  });

  it("another program's tables are seen in the WAL too", async () => {
    makeFile(
      path,
      "PRAGMA journal_mode = WAL; CREATE TABLE precious (a); PRAGMA user_version = 1",
      "process.kill(process.pid, 'SIGKILL')",
    );
    await expect(sqliteStore({ path })).rejects.toThrow("another program's database");
  });
  it("data of a newer version is seen in the WAL too, and nothing of it is lost", async () => {
    await (await sqliteStore({ path: join(folder, "v1.db") })).close();
    copyFileSync(join(folder, "v1.db"), path);
    makeFile(
      path,
      "CREATE TABLE more (a); INSERT INTO more VALUES (1); PRAGMA user_version = 7",
      "process.kill(process.pid, 'SIGKILL')",
    );
    expect(existsSync(`${path}-wal`)).toBe(true);
    await expect(sqliteStore({ path })).rejects.toThrow("newer version of Coppice (schema version 7");
    expect(readVersion(path)).toMatchObject({ user_version: 7 });
    const database = new Database(path);
    expect(database.prepare("SELECT a FROM more").all()).toMatchObject([{ a: 1 }]);
    database.close();
  });
});

describe("places", () => {
  it.each(["a b", "ключ", "50%41", "q?mode=memory", "x#y", ":memory:", "libsql:"])(
    "a file may be named %j",
    async (name) => {
      const file = join(folder, name);
      const store = await sqliteStore({ path: file });
      await store.writeRequest(ROW);
      await store.close();
      expect(statSync(file).size).toBeGreaterThan(0);
      const again = await sqliteStore({ path: file });
      expect(await again.readRequests(["k"])).toStrictEqual([ROW]);
      await again.close();
    },
  );
  it("is readable only for its owner", async () => {
    const file = join(folder, "made/for/it.db");
    const store = await sqliteStore({ path: file });
    await store.writeRequest(ROW);
    for (const name of readdirSync(join(folder, "made/for")))
      expect(statSync(join(folder, "made/for", name)).mode & 0o077).toBe(0);
    await store.close();
  });
  it("follows a link, and accepts an empty file", async () => {
    writeFileSync(path, "");
    symlinkSync(path, join(folder, "link.db"));
    const store = await sqliteStore({ path: join(folder, "link.db") });
    await store.writeRequest(ROW);
    const other = await sqliteStore({ path });
    expect(await other.readRequests(["k"])).toStrictEqual([ROW]);
    await store.close();
    await other.close();
  });
  it("if there can be no file, memory is used", async () => {
    writeFileSync(path, "");
    const issues: Issue[] = [];
    const store = await openStore(
      { kind: "sqlite", path: join(path, "in a file.db") },
      { report: (issue) => issues.push(issue) },
    );
    expect(issues).toMatchObject([{ code: "store-unavailable", message: expect.stringContaining("EEXIST") }]);
    await store.writeRequest(ROW);
    expect(await store.readRequests(["k"])).toStrictEqual([ROW]);
    await store.close();
  });
  // Root can write anywhere: e2e/stores/disk.test.ts uses a read-only disk instead.
  it.runIf(process.getuid?.() !== 0)("if nothing may be written, memory is used", async () => {
    chmodSync(folder, 0o500);
    const issues: Issue[] = [];
    const store = await openStore({ kind: "sqlite", path }, { report: (issue) => issues.push(issue) });
    expect(issues).toMatchObject([{ code: "store-unavailable", message: expect.stringContaining("EACCES") }]);
    await store.close();
  });
});

describe("a file that disappears while it is open", () => {
  const goes: Readonly<Record<string, () => void>> = {
    "is deleted": () => rmSync(path),
    "is deleted with its log": () => {
      for (const name of readdirSync(folder)) rmSync(join(folder, name));
    },
    "is moved": () => renameSync(path, join(folder, "elsewhere.db")),
    "is replaced by another of ours": () => {
      makeFile(join(folder, "other.db"), VERSION_1);
      renameSync(join(folder, "other.db"), path);
    },
    "is deleted with its folder": () => rmSync(folder, { recursive: true }),
  };
  const CHANGED = expect.stringContaining(" was deleted, moved or replaced while it was open");

  it.each(Object.entries(goes))("%s: every call rejects, and another handle works", async (_, go) => {
    const store = await sqliteStore({ path });
    await store.writeRequest(ROW);
    go();
    await expect(store.writeRequest({ ...ROW, key: "lost" })).rejects.toThrow("while it was open");
    await expect(store.readRequests(["k"])).rejects.toThrow("while it was open");
    await store.close();
    const next = await sqliteStore({ path });
    await next.writeRequest({ ...ROW, key: "next" });
    expect(await next.readRequests(["next"])).toHaveLength(1);
    await next.close();
  });

  it.each(Object.entries(goes))(
    "%s: it is reported once, made again, and nothing more is lost",
    async (_, go) => {
      const issues: Issue[] = [];
      const store = await openStore({ kind: "sqlite", path }, { report: (issue) => issues.push(issue) });
      await store.writeRequest(ROW);
      go();
      await Promise.all([
        store.writeRequest({ ...ROW, key: "a" }),
        store.addRequest({ session: "s", time: 5, tokensWith: 1, tokensWithout: 1, cuts: 0 }),
        store.writeRequest({ ...ROW, key: "b" }),
      ]);
      await store.writeRequest({ ...ROW, key: "c" });
      expect(await store.readRequests(["a", "b", "c"])).toHaveLength(3);
      expect(issues).toMatchObject([{ code: "store-unavailable", where: path, message: CHANGED }]);
      await store.close();
      const next = await sqliteStore({ path });
      expect(await next.readRequests(["a", "b", "c"])).toHaveLength(3);
      expect(await next.listSessions()).toContainEqual(expect.objectContaining({ id: "s" }));
      await next.close();
    },
  );
});

it("a file that is made again is also readable only for its owner", async () => {
  const store = await openStore({ kind: "sqlite", path }, { report: () => {} });
  rmSync(path);
  await store.writeRequest(ROW);
  expect(statSync(path).mode & 0o077).toBe(0);
  await store.close();
});

it("a closed store holds no file open", async () => {
  const store = await sqliteStore({ path });
  await store.writeRequest(ROW);
  await store.readRequests(["k"]);
  expect(listOpen(folder)).not.toEqual([]);
  await store.close();
  expect(listOpen(folder)).toEqual([]);
});

/** The files in a folder that this process has open. */
function listOpen(folder: string): readonly string[] {
  return readdirSync("/proc/self/fd").flatMap((name) => {
    try {
      const file = readlinkSync(`/proc/self/fd/${name}`);
      return file.startsWith(folder) ? [file] : [];
    } catch {
      // It was of the list itself.
      return [];
    }
  });
}

it("waits for another process's lock, while other work continues", async () => {
  const store = await sqliteStore({ path });
  const other = new Database(path);
  other.exec("BEGIN IMMEDIATE");
  let ticks = 0;
  const timer = setInterval(() => ticks++, 5);
  const written = store.writeRequest(ROW);
  expect(await store.readRequests(["k"])).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(ticks).toBeGreaterThan(3);
  other.exec("COMMIT");
  await written;
  clearInterval(timer);
  expect(await store.readRequests(["k"])).toStrictEqual([ROW]);
  other.close();
  await store.close();
});

it("another copy of this module in the same process releases none of SQLite's locks", async () => {
  const store = await sqliteStore({ path });
  await store.writeRequest(ROW);
  vi.resetModules();
  const copy = await import("../../src/stores/sqlite-store.ts");
  expect(copy.sqliteStore).not.toBe(sqliteStore);
  await (await copy.sqliteStore({ path })).writeRequest({ ...ROW, key: "copy" });
  // Closing a file that nobody else has locked removes its WAL.
  makeFile(path, "SELECT count(*) FROM coppice_boundaries");
  expect(existsSync(`${path}-wal`)).toBe(true);
  await store.writeRequest({ ...ROW, key: "after" });
  expect(await store.readRequests(["k", "copy", "after"])).toHaveLength(3);
  await store.close();
});
