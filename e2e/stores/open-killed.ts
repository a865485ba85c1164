import Database from "libsql";
import { expect } from "vitest";
import { sqliteStore } from "../../src/stores/sqlite-store.ts";
import type { Store } from "../../src/stores/store.ts";

/** A file at which writers were killed: it must be whole. Also returns the keys of its rows. */
export async function openKilled(
  path: string,
): Promise<{ readonly store: Store; readonly keys: readonly string[] }> {
  const store = await sqliteStore({ path });
  const database = new Database(path);
  expect(database.prepare("PRAGMA integrity_check").all()).toMatchObject([{ integrity_check: "ok" }]);
  const keys = database.prepare("SELECT key FROM coppice_boundaries").all() as { readonly key: string }[];
  database.close();
  return { store, keys: keys.map(({ key }) => key) };
}
