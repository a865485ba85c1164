import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, vi } from "vitest";
import type { Issue } from "../../../src/basics/issue.ts";
import { openSharedStore } from "../../../src/hosts/plugin/open-shared-store.ts";
import { sqliteStore } from "../../../src/stores/sqlite-store.ts";

const REQUEST = { session: "s", time: 0, tokensWith: 1, tokensWithout: 2, cuts: 0 };

let directory: string;
let issues: Issue[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "coppice-shared-"));
  vi.stubEnv("XDG_DATA_HOME", join(directory, "data"));
  issues = [];
  return () => {
    vi.unstubAllEnvs();
    rmSync(directory, { recursive: true });
  };
});
const open = (setting: boolean | string) =>
  openSharedStore({ setting, directory, report: (issue) => issues.push(issue) });

it.each([
  [true, "data/coppice/journal.db"],
  ["own/sums.db", "own/sums.db"],
])("%j is a file", async (setting, path) => {
  const shared = await open(setting);
  await shared?.addRequest(REQUEST);
  const store = await sqliteStore({ path: join(directory, path) });
  expect(await store.listSessions()).toMatchObject([{ id: "s", requests: 1 }]);
  for (const each of [shared, store]) await each?.close();
  expect(issues).toEqual([]);
});

it("false means none", async () => {
  expect(await open(false)).toBeUndefined();
});

it("a broken folder is reported once", async () => {
  writeFileSync(join(directory, "data"), "no folder");
  const shared = await open(true);
  for (let i = 0; i < 3; i++) await shared?.addRequest(REQUEST);
  expect(issues).toMatchObject([
    {
      code: "store-unavailable",
      where: join(directory, "data/coppice/journal.db"),
      message: expect.stringContaining("it records no requests"),
    },
  ]);
});
