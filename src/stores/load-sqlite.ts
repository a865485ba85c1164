import { loadDriver } from "./load-driver.ts";
import { sqliteByBun } from "./sqlite-by-bun.ts";
import { sqliteByLibsql } from "./sqlite-by-libsql.ts";
import { sqliteByNode } from "./sqlite-by-node.ts";
import type { SqliteDriver } from "./sqlite-driver.ts";

/**
 * The SQLite library of this process, always the same one: two libraries must not have one file open at once,
 * because each would release the other's locks.
 *
 *   in Bun                   bun:sqlite
 *   where it is installed    libsql
 *   in Node 22.13 and newer  node:sqlite
 *
 * @throws if there is none, with the package to install.
 */
export async function loadSqlite(): Promise<SqliteDriver> {
  found ??= await findSqlite();
  return found;
}

let found: SqliteDriver | undefined;

async function findSqlite(): Promise<SqliteDriver> {
  const bun = sqliteByBun();
  if (bun) return bun;
  try {
    return sqliteByLibsql(await loadDriver("SQLite", "libsql", () => import("libsql")));
  } catch (error) {
    const node = sqliteByNode();
    if (node) return node;
    throw error;
  }
}
