import Libsql from "libsql";
import { sqliteByBun } from "../../src/stores/sqlite-by-bun.ts";
import { sqliteByLibsql } from "../../src/stores/sqlite-by-libsql.ts";
import { sqliteByNode } from "../../src/stores/sqlite-by-node.ts";
import type { SqliteDriver } from "../../src/stores/sqlite-driver.ts";

const bun = sqliteByBun();

/**
 * All that a store may use in this process. e2e/stores/drivers.test.ts runs their tests in a newer Node and in Bun.
 */
export const DRIVERS: readonly SqliteDriver[] = bun
  ? [bun]
  : [sqliteByLibsql(Libsql), sqliteByNode()].filter((driver) => driver !== undefined);
