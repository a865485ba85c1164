import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Issue } from "../../src/basics/issue.ts";
import { openStore } from "../../src/stores/open-store.ts";
import type { JournalRow } from "../../src/stores/store.ts";

const ROW: JournalRow = { key: "k", terms: { time: 1, model: "m" }, version: "0.2.0", config: "c" };

/** A disk of one megabyte, in memory. Mounting takes root, which CI is. */
let disk: string;
let path: string;
let issues: Issue[];
const report = (issue: Issue) => issues.push(issue);
beforeEach(() => {
  disk = mkdtempSync(join(tmpdir(), "coppice-disk-"));
  path = join(disk, "journal.db");
  issues = [];
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "coppice-disk", disk]);
  return () => {
    // A closed store may keep its file open until its memory is collected.
    execFileSync("umount", ["--lazy", disk]);
    rmSync(disk, { recursive: true });
  };
});

function fillUp(): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(join(disk, "filler"), Buffer.alloc(bavail * bsize));
}

test("a disk that fills up: reported once, written data stays, and with space it works again", async () => {
  const store = await openStore({ kind: "sqlite", path }, { report });
  await store.writeRequest(ROW);
  fillUp();
  // Few enough that all of it fits once there is space again: the other writes are pending.
  for (let i = 0; i < 40; i++) {
    const model = `${i}`.padEnd(190, "x");
    await store.writeRequest({ ...ROW, key: `lost ${i}`, terms: { model } });
    await store.addRequest({ session: `s${i}`, time: 0, model, tokensWith: 1, tokensWithout: 2, cuts: 0 });
  }
  expect(issues).toMatchObject([
    { code: "store-unavailable", where: path, message: expect.stringMatching(/full|I\/O/) },
  ]);
  expect(await store.readRequests(["k"])).toStrictEqual([ROW]);
  rmSync(join(disk, "filler"));
  await store.writeRequest({ ...ROW, key: "after" });
  // Pending writes are tried again with the next request.
  await expect.poll(() => store.readRequests(["k", "after"])).toMatchObject([{ key: "k" }, { key: "after" }]);
  const sum = (list: readonly { readonly requests: number }[]) =>
    list.reduce((all, { requests }) => all + requests, 0);
  expect(sum(await store.listDays())).toBe(sum(await store.listSessions()));
  await store.close();
});

test("a disk that is full from the start: memory is used", async () => {
  fillUp();
  const store = await openStore({ kind: "sqlite", path }, { report });
  expect(issues).toMatchObject([{ code: "store-unavailable", where: path }]);
  await store.writeRequest(ROW);
  expect(await store.readRequests(["k"])).toStrictEqual([ROW]);
  await store.close();
});

test("a read-only disk: memory is used, and its data stays unchanged", async () => {
  const old = await openStore({ kind: "sqlite", path }, { report });
  await old.writeRequest(ROW);
  await old.close();
  // Mounted again: the old one can't be made read-only while a file on it is open.
  const view = mkdtempSync(join(tmpdir(), "coppice-view-"));
  execFileSync("mount", ["--bind", disk, view]);
  execFileSync("mount", ["-o", "remount,bind,ro", view]);
  try {
    const before = readFileSync(path, "base64");
    for (const name of ["journal.db", "new.db", "new folder/new.db"]) {
      issues = [];
      const store = await openStore({ kind: "sqlite", path: join(view, name) }, { report });
      await store.writeRequest({ ...ROW, key: "elsewhere" });
      expect(issues, name).toMatchObject([{ code: "store-unavailable" }]);
      await store.close();
    }
    expect(readFileSync(path, "base64")).toBe(before);
  } finally {
    execFileSync("umount", ["--lazy", view]);
    rmSync(view, { recursive: true });
  }
});
