import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type Libsql from "libsql";
import type { SqlRow } from "./sql-store.ts";
import { hasBusyName, type SqliteDriver } from "./sqlite-driver.ts";

/** The package libsql: for every Node version, with a native binary. */
export function sqliteByLibsql(Database: typeof Libsql): SqliteDriver {
  return {
    name: "libsql",
    open(file, access) {
      // Its option `readonly` does nothing (0.5.29): the last connection to close would write the log into the
      // file.
      const database = new Database(access ? `${pathToFileURL(file)}?mode=ro` : file);
      return {
        exec: (text) => void database.exec(text),
        prepare(text) {
          const statement = database.prepare(text);
          return (values = []) => statement.all(values) as readonly SqlRow[];
        },
        close: () => void database.close(),
      };
    },
    release: collectGarbage,
    isBusy: hasBusyName,
  };
}

/**
 * A statement keeps its file open until it is garbage-collected (0.5.29,
 * https://github.com/tursodatabase/libsql-js/issues/228), and there is no other way to close one.
 */
async function collectGarbage(): Promise<void> {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc()");
  // Native memory of collected objects is freed after that.
  await setImmediate();
}
