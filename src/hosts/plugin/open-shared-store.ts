import { resolve } from "node:path";
import type { Issue } from "../../basics/issue.ts";
import { journalPath } from "../../stores/data-folder.ts";
import { loadSqlite } from "../../stores/load-sqlite.ts";
import { softStore } from "../../stores/soft-store.ts";
import { sqliteStore } from "../../stores/sqlite-store.ts";
import type { Store } from "../../stores/store.ts";
import { attempt } from "./attempt.ts";

export interface SharedStoreOptions {
  /** `statistics.store` of the configuration. */
  readonly setting: boolean | string;
  /** The project's folder. */
  readonly directory: string;
  readonly report: (issue: Issue) => void;
}

/**
 * The store that all hosts on this machine share. `undefined` if the user turned it off, or did not set it and this
 * program has no SQLite.
 */
export async function openSharedStore(options: SharedStoreOptions): Promise<Store | undefined> {
  const { setting, directory, report } = options;
  if (setting === false) return undefined;
  const hasSqlite = await attempt(async () => (await loadSqlite()) !== undefined, false);
  if (setting === true && !hasSqlite) return undefined;
  const path = setting === true ? journalPath() : resolve(directory, setting);
  return softStore(() => sqliteStore({ path }), {
    report,
    where: path,
    meanwhile: "it records no requests",
  });
}
