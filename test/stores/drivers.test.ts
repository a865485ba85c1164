import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MIGRATIONS } from "../../src/stores/sql.ts";
import { sqliteStore } from "../../src/stores/sqlite-store.ts";
import type { JournalRow } from "../../src/stores/store.ts";
import { DRIVERS } from "./sqlite-drivers.ts";

const ROW: JournalRow = { key: "k", terms: { time: 1, model: "m" }, version: "0.2.0", config: "c" };
const NEXT = [...MIGRATIONS, ["ALTER TABLE coppice_boundaries ADD COLUMN extra text"]];
const BROKEN = [...MIGRATIONS, ["CREATE TABLE coppice_extra (a)", "no SQL"]];

for (const driver of DRIVERS)
  describe(driver.name, () => {
    let folder: string;
    let path: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), "coppice-driver-"));
      path = join(folder, "journal.db");
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    const open = (file = path, migrations = MIGRATIONS) =>
      sqliteStore({ path: file }, migrations, async () => driver);
    const make = (statements: string) => {
      const database = driver.open(path);
      database.exec(statements);
      database.close();
    };
    const readVersion = () => {
      const database = driver.open(path);
      const [row] = database.prepare("PRAGMA user_version")();
      database.close();
      return row?.user_version;
    };

    it("migrates forward with everything in it, several at once", async () => {
      const old = await open();
      await old.writeRequest(ROW);
      await old.close();
      expect(readVersion()).toBe(MIGRATIONS.length);
      const stores = await Promise.all([1, 2, 3].map(() => open(path, NEXT)));
      for (const store of stores) expect(await store.readRequests(["k"])).toStrictEqual([ROW]);
      await Promise.all(stores.map((store) => store.close()));
      expect(readVersion()).toBe(NEXT.length);
    });
    it("does all of a migration or nothing", async () => {
      const old = await open();
      await old.writeRequest(ROW);
      await old.close();
      await expect(open(path, BROKEN)).rejects.toThrow("syntax error");
      expect(readVersion()).toBe(MIGRATIONS.length);
      const store = await open();
      expect(await store.readRequests(["k"])).toStrictEqual([ROW]);
      await store.close();
    });
    it("reads another program's file while that has it open, and writes nothing to it or its log", () => {
      const path2 = join(folder, "what is #1?.db");
      const theirs = driver.open(path2);
      theirs.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)");
      const bytes = () => [path2, `${path2}-wal`].map((file) => readFileSync(file, "latin1"));
      const before = bytes();
      const ours = driver.open(path2, "read-only");
      expect(
        ours
          .prepare("SELECT x FROM t")()
          .map(({ x }) => x),
      ).toEqual([1]);
      expect(() => ours.exec("INSERT INTO t VALUES (2)")).toThrow(/read-?only/i);
      theirs.exec("INSERT INTO t VALUES (3)");
      expect(
        ours
          .prepare("SELECT x FROM t")()
          .map(({ x }) => x),
      ).toEqual([1, 3]);
      const after = bytes();
      ours.close();
      expect(after[0]).toBe(before[0]);
      expect(bytes()).toEqual(after);
      theirs.close();
    });
    it.each([
      ["CREATE TABLE precious (a)", "another program's database"],
      [`PRAGMA application_id = ${0x436f7070}; PRAGMA user_version = 77`, "newer version of Coppice"],
    ])("leaves a file unchanged: %s", async (statements, message) => {
      make(statements);
      const before = readFileSync(path, "base64");
      await expect(open()).rejects.toThrow(message);
      expect(readFileSync(path, "base64")).toBe(before);
    });
    it("reports another handle's lock, and other errors", () => {
      const [one, other] = [driver.open(path), driver.open(path)];
      other.exec("PRAGMA busy_timeout = 1");
      one.exec("BEGIN IMMEDIATE");
      expect(failure(() => other.exec("BEGIN IMMEDIATE"))).toEqual([true]);
      expect(failure(() => other.exec("no SQL"))).toEqual([false]);
      one.exec("ROLLBACK");
      expect(failure(() => other.exec("BEGIN IMMEDIATE"))).toEqual([]);
      for (const database of [one, other]) database.close();
    });
    it("waits for another handle's lock, while other work continues", async () => {
      const store = await open();
      const other = driver.open(path);
      other.exec("BEGIN IMMEDIATE");
      const written = store.writeRequest(ROW);
      expect(await store.readRequests(["k"])).toEqual([]);
      await new Promise((resolve) => setTimeout(resolve, 100));
      other.exec("COMMIT");
      await written;
      expect(await store.readRequests(["k"])).toStrictEqual([ROW]);
      other.close();
      await store.close();
    });
    it.each(["a b", "ключ", "50%41", "q?mode=memory", "x#y", ":memory:", "file:"])(
      "opens a file named %s",
      async (name) => {
        const file = join(folder, name);
        const store = await open(file);
        await store.writeRequest(ROW);
        await store.close();
        expect(statSync(file).size).toBeGreaterThan(0);
      },
    );

    /** Whether it failed because the file is busy; `undefined` if it did not fail. */
    function failure(work: () => void): readonly boolean[] {
      try {
        work();
        return [];
      } catch (error) {
        return [driver.isBusy(error)];
      }
    }
  });
