import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore } from "../../src/stores/memory-store.ts";
import { sqliteStore } from "../../src/stores/sqlite-store.ts";
import { describeStore } from "./describe-store.ts";
import { DRIVERS } from "./sqlite-drivers.ts";

// PostgreSQL's run is in e2e/stores/: it needs a server.
describeStore("memory", async () => ({ open: async () => memoryStore(), dispose: async () => {} }), {
  isShared: false,
});

for (const driver of DRIVERS)
  describeStore(
    `SQLite by ${driver.name}`,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "coppice-store-"));
      const path = join(folder, "deep/in/journal.db");
      return {
        open: (options) => sqliteStore({ path, ...options }, undefined, async () => driver),
        dispose: async () => rmSync(folder, { recursive: true }),
      };
    },
    { isShared: true },
  );
