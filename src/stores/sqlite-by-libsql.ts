import { pathToFileURL } from "node:url";
import type Libsql from "libsql";
import type { Row } from "./sql-store.ts";
import { hasBusyName, type SqliteDriver } from "./sqlite-driver.ts";

/** The package libsql: for every Node, with a binary of its own. */
export function sqliteByLibsql(Database: typeof Libsql): SqliteDriver {
  return {
    name: "libsql",
    open(file, access) {
      // Its option `readonly` does nothing (0.5.29): the last to close would write the log into the file.
      const database = new Database(access ? `${pathToFileURL(file)}?mode=ro` : file);
      return {
        exec: (text) => void database.exec(text),
        prepare(text) {
          const statement = database.prepare(text);
          return (values = []) => statement.all(values) as readonly Row[];
        },
        close: () => void database.close(),
      };
    },
    isBusy: hasBusyName,
  };
}
