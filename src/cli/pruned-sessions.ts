import { existsSync } from "node:fs";
import { journalPath } from "../stores/data-folder.ts";
import { openStore } from "../stores/open-store.ts";
import { readStore } from "./proxy.ts";

/** The sessions in which Coppice has cut something, as far as its store knows. */
export async function listPruned(): Promise<ReadonlySet<string>> {
  const settings = readStore();
  const path = settings.kind === "sqlite" ? (settings.path ?? journalPath()) : undefined;
  if (path !== undefined && !existsSync(path)) return new Set();
  // An unreadable store gives no rows: all sessions then count as not pruned.
  const store = await openStore(settings, { report: () => undefined });
  try {
    const rows = await store.listSessions();
    return new Set(rows.filter(({ cuts }) => cuts > 0).map(({ id }) => id));
  } finally {
    await store.close();
  }
}
