import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { sqliteStore } from "../../src/stores/sqlite-store.ts";
import { prepareWriters, type Writers } from "./writer-process.ts";
import { answerTo, rowOf } from "./written.ts";

const NAMES = ["a", "b", "c", "d"];
const COUNT = 150;

let writers: Writers;
let folder: string;
let path: string;
beforeAll(async () => {
  writers = await prepareWriters();
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coppice-processes-"));
  path = join(folder, "journal.db");
  return () => rmSync(folder, { recursive: true });
});
afterAll(() => writers.dispose());

test("several processes make the file and write to it at once: nothing is lost, no total is wrong", async () => {
  const ends = await Promise.all(NAMES.map((name) => writers.start(path, name, `${COUNT}`).ended));
  for (const { code, errors } of ends) expect({ code, errors }).toEqual({ code: 0, errors: "" });
  const store = await sqliteStore({ path });
  const numbers = Array.from({ length: COUNT }, (_, i) => i);
  const expected = NAMES.flatMap((name) =>
    numbers.map((i) => ({ ...rowOf(name, i), usage: answerTo(i).usage, answeredBy: answerTo(i).model })),
  );
  expect(await store.readRequests(expected.map(({ key }) => key))).toStrictEqual(expected);
  const sessions = await store.listSessions();
  expect(sessions.map(({ id }) => id).sort()).toEqual(NAMES);
  for (const session of sessions)
    expect(session).toMatchObject({ requests: COUNT, costWith: COUNT / 4, cuts: COUNT });
  const each = (NAMES.length * COUNT) / 3;
  expect(await store.listDays()).toMatchObject(
    ["17", "18", "19"].map((day) => ({
      day: `2026-11-${day}`,
      requests: each,
      usage: { input: each, output: each * 4 },
    })),
  );
  await store.close();
});

test("several processes write the same keys at once: one row each, and all have seen the same first value", async () => {
  const ends = await Promise.all(NAMES.map((name) => writers.start(path, name, `${COUNT}`, "shared").ended));
  const [first, ...others] = ends.map(({ lines }) => lines);
  expect(first?.length).toBe(COUNT + 1);
  for (const lines of others) expect(lines).toEqual(first);
  for (const [i, line] of (first ?? []).slice(1).entries()) {
    const row = JSON.parse(line);
    expect(row).toEqual({ ...rowOf(row.config, i), key: `shared/${i}` });
  }
});

// In a separate process: a call that never returns would block this one forever.
test.runIf(process.platform === "linux").each(["/proc/nowhere/j.db", "/proc/nowhere/a/b/j.db"])(
  "gives up if the folder can't be made: %s",
  async (path) => {
    const { process: writer, ended } = writers.start(path, "a", "1");
    const limit = setTimeout(() => writer.kill("SIGKILL"), 20_000);
    expect(await ended).toMatchObject({ code: 1, lines: [], errors: expect.stringContaining("ENOENT") });
    clearTimeout(limit);
  },
  30_000,
);
