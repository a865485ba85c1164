export { journalPath } from "./data-folder.ts";
export { memoryStore } from "./memory-store.ts";
export { openStore, type StoreSettings } from "./open-store.ts";
export { type PostgresOptions, postgresStore } from "./postgres-store.ts";
export { type SoftOptions, softStore } from "./soft-store.ts";
export { type SqliteOptions, sqliteStore } from "./sqlite-store.ts";
export type { DayRow, JournalRow, RequestSums, SessionRow, Store, StoredAnswer, Sums } from "./store.ts";
