import type { Value } from "./sql.ts";
import type { SqlRow } from "./sql-store.ts";
import type { SqliteDriver } from "./sqlite-driver.ts";

/** The parts of `node:sqlite` that are used here, as Node 22.13 and newer have them. */
interface NodeSqlite {
  readonly DatabaseSync: new (
    file: string,
    options: { readonly readOnly: boolean },
  ) => {
    exec(text: string): void;
    prepare(text: string): { all(named: Readonly<Record<string, Value>>): unknown };
    close(): void;
  };
}

/** SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL. */
const BUSY: ReadonlySet<number> = new Set([5, 6, 15]);

/** Node's own SQLite; `undefined` where this Node has none, or only behind a flag. */
export function sqliteByNode(): SqliteDriver | undefined {
  const sqlite = loadQuietly();
  return (
    sqlite && {
      name: "node:sqlite",
      open(file, access) {
        const database = new sqlite.DatabaseSync(file, { readOnly: access === "read-only" });
        return {
          exec: (text) => database.exec(text),
          prepare(text) {
            const statement = database.prepare(text);
            // By name: before 22.16 it takes `?1` for a name, and does not find it by its place.
            return (values = []) =>
              statement.all(
                Object.fromEntries(values.map((value, i) => [`?${i + 1}`, value])),
              ) as readonly SqlRow[];
          },
          close: () => database.close(),
        };
      },
      // The lowest byte is the code, the rest says more of it.
      isBusy: (error) =>
        error instanceof Error && "errcode" in error && BUSY.has(Number(error.errcode) & 0xff),
    }
  );
}

/** Without the warning that it is experimental: it would stand in the middle of an agent's screen. */
function loadQuietly(): NodeSqlite | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule("node:sqlite") as NodeSqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}
