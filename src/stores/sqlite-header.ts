import { closeSync, openSync, readSync, statSync } from "node:fs";

/** The data in a file's first page, read without opening it as a database, which could write to it or next to it. */
export type SqliteHeader =
  | { readonly kind: "new" }
  | { readonly kind: "other" }
  | {
      readonly kind: "sqlite";
      readonly version: number;
      readonly application: number;
      readonly hasTables: boolean;
    };

const MAGIC = "SQLite format 3\0";
/** https://www.sqlite.org/fileformat2.html: the header, followed by the start of the page that lists the tables. */
const VERSION_AT = 60;
const APPLICATION_AT = 68;
const PAGE_AT = 100;
const CELLS_AT = 103;
const NEEDED = 105;
const LEAF = 13;

export function readSqliteHeader(path: string): SqliteHeader {
  const bytes = readStart(path);
  if (!bytes || bytes.length === 0) return { kind: "new" };
  if (bytes.length < NEEDED || bytes.toString("latin1", 0, MAGIC.length) !== MAGIC) return { kind: "other" };
  return {
    kind: "sqlite",
    version: bytes.readInt32BE(VERSION_AT),
    application: bytes.readInt32BE(APPLICATION_AT),
    hasTables: bytes[PAGE_AT] !== LEAF || bytes.readUInt16BE(CELLS_AT) > 0,
  };
}

/** Empty if the file does not exist, and "?" if it is not a regular file: reading a pipe would wait forever. */
function readStart(path: string): Buffer | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return undefined;
  if (!stats.isFile()) return Buffer.from("?");
  const file = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(NEEDED);
    return bytes.subarray(0, readSync(file, bytes));
  } finally {
    closeSync(file);
  }
}
