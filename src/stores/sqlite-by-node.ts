import type { Value } from "./sql.ts";
import type { SqlRow } from "./sql-store.ts";
import type { SqliteDriver } from "./sqlite-driver.ts";

/** The parts of `node:sqlite` that Coppice uses, as in Node 22.13 and newer. */
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

/** Node's own SQLite; `undefined` if this Node has none, or only behind a flag. */
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
            // Passed by name: before 22.16, Node treats `?1` as a name, and can't find it by position.
            return (values = []) =>
              statement.all(
                Object.fromEntries(values.map((value, i) => [`?${i + 1}`, value])),
              ) as readonly SqlRow[];
          },
          close: () => database.close(),
        };
      },
      // The lowest byte is the code; the other bytes are details.
      isBusy: (error) =>
        error instanceof Error && "errcode" in error && BUSY.has(Number(error.errcode) & 0xff),
    }
  );
}

/** Hides the warning that it is experimental, which would appear in the middle of an agent's screen. */
function loadQuietly(): NodeSqlite | undefined {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return process.getBuiltinModule("node:sqlite") as NodeSqlite | undefined;
  } finally {
    process.emitWarning = emitWarning;
  }
}
