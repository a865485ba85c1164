import type { Value } from "./sql.ts";
import type { SqlRow } from "./sql-store.ts";
import { hasBusyName, type SqliteDriver } from "./sqlite-driver.ts";

/** The parts of `bun:sqlite` that Coppice uses. */
interface BunSqlite {
  readonly Database: new (
    file: string,
    options?: { readonly readonly: true },
  ) => {
    exec(text: string): unknown;
    prepare(text: string): { all(...values: readonly Value[]): unknown };
    close(): void;
  };
}

/** Bun's own SQLite; `undefined` outside Bun. */
export function sqliteByBun(): SqliteDriver | undefined {
  const sqlite = process.getBuiltinModule("bun:sqlite") as BunSqlite | undefined;
  return (
    sqlite && {
      name: "bun:sqlite",
      open(file, access) {
        const database = access ? new sqlite.Database(file, { readonly: true }) : new sqlite.Database(file);
        return {
          exec: (text) => void database.exec(text),
          prepare(text) {
            const statement = database.prepare(text);
            return (values = []) => statement.all(...values) as readonly SqlRow[];
          },
          close: () => database.close(),
        };
      },
      isBusy: hasBusyName,
    }
  );
}
