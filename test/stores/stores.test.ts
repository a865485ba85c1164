import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memoryStore } from "../../src/stores/memory-store.ts";
import { sqliteStore } from "../../src/stores/sqlite-store.ts";
import { describeStore } from "./describe-store.ts";

// PostgreSQL's run is in e2e/stores/: it needs a server.
describeStore("memory", async () => ({ open: async () => memoryStore(), dispose: async () => {} }), {
  isShared: false,
});

describeStore(
  "SQLite",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "coppice-store-"));
    return {
      open: (options) => sqliteStore({ path: join(folder, "deep/in/journal.db"), ...options }),
      dispose: async () => rmSync(folder, { recursive: true }),
    };
  },
  { isShared: true },
);
