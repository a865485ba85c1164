import type { Issue } from "../basics/issue.ts";
import { showValue } from "../basics/show-value.ts";
import { journalPath } from "./data-folder.ts";
import { memoryStore } from "./memory-store.ts";
import { postgresStore } from "./postgres-store.ts";
import { type SoftStore, softStore } from "./soft-store.ts";
import { sqliteStore } from "./sqlite-store.ts";

export type StoreSettings =
  | { readonly kind: "memory" }
  /** Default path, in the user's data folder: `~/.local/share/coppice/journal.db`. */
  | { readonly kind: "sqlite"; readonly path?: string }
  | { readonly kind: "postgres"; readonly url: string };

/**
 * Opens a store for a host: nothing in it throws, rejects or takes long. If it can't be opened, it reports that
 * once, and uses a memory store until it can.
 *
 * @throws if there is no such kind of store
 */
export async function openStore(
  settings: StoreSettings,
  { report }: { readonly report: (issue: Issue) => void },
): Promise<SoftStore> {
  switch (settings?.kind) {
    case "memory":
      return softStore(async () => memoryStore(), { report });
    case "sqlite": {
      const { path = journalPath() } = settings;
      return softStore(() => sqliteStore({ path }), { report, where: path });
    }
    case "postgres":
      return softStore(() => postgresStore(settings), { report, where: describeServer(settings.url) });
    default:
      throw new RangeError(
        `Unknown store ${showValue(Reflect.get(Object(settings), "kind"))}: use memory, sqlite or postgres.`,
      );
  }
}

/** Without user and password. */
function describeServer(url: string): string {
  if (!URL.canParse(url)) return "PostgreSQL";
  const { host, pathname } = new URL(url);
  return `PostgreSQL at ${host}${pathname}`;
}
