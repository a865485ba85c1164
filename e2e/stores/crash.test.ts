import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { postgresStore } from "../../src/stores/postgres-store.ts";
import { prepareWriters, type Writers } from "../../test/stores/writer-process.ts";
import { killWriters } from "./kill-writers.ts";
import { openKilled } from "./open-killed.ts";
import { ask, type PostgresServer, startPostgres } from "./postgres-server.ts";

const KILLS = 200;

let writers: Writers;
let server: PostgresServer;
let folder: string;
beforeAll(async () => {
  writers = await prepareWriters();
  server = await startPostgres();
  folder = mkdtempSync(join(tmpdir(), "coppice-crash-"));
});
afterAll(async () => {
  writers?.dispose();
  await server?.dispose();
  rmSync(folder, { recursive: true });
});

describe(`writers that are killed ${KILLS} times leave nothing torn, and lose nothing that was acknowledged`, () => {
  it("SQLite", async () => {
    const figures = await killWriters({
      writers,
      kills: KILLS,
      makePlace: async (n) => join(folder, `${n}.db`),
      open: openKilled,
    });
    console.log("SQLite", figures);
  });
  it("PostgreSQL", async () => {
    const figures = await killWriters({
      writers,
      kills: KILLS,
      makePlace: () => server.createSchema(),
      open: async (url) => {
        const store = await postgresStore({ url });
        // A server may still be busy with a statement of a dead writer.
        const busy =
          "SELECT 1 FROM pg_stat_activity WHERE state <> 'idle' AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
        await expect.poll(() => ask(url, busy)).toEqual([]);
        const keys = await ask(url, "SELECT key FROM coppice_boundaries");
        return { store, keys: keys.map(({ key }) => String(key)) };
      },
    });
    console.log("PostgreSQL", figures);
  });
});
