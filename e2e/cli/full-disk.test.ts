import { execFile, execFileSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { StatisticsFile } from "../../src/hosts/plugin/statistics-file.ts";

const bin = resolve(import.meta.dirname, "../../dist/cli/main.js");
const sample = resolve(import.meta.dirname, "../../samples/discount-service.jsonl");

/** A disk of two megabytes, in memory. Mounting takes root, which CI is. */
let disk: string;
beforeEach(() => {
  disk = mkdtempSync(join(tmpdir(), "coppice-full-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m", "coppice-full", disk]);
  return () => {
    execFileSync("umount", [disk]);
    rmSync(disk, { recursive: true });
  };
});

/** Leaves this much room. */
function fillUp(bytes: number): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(join(disk, "filler"), Buffer.alloc(bavail * bsize - bytes));
}

function run(args: readonly string[]): Promise<{ readonly code: unknown; readonly err: string }> {
  return new Promise((done) => {
    const env = { PATH: process.env.PATH, HOME: disk };
    execFile(process.execPath, [bin, ...args], { env, cwd: disk, maxBuffer: 1e9 }, (error, _, err) =>
      done({ code: error ? error.code : 0, err }),
    );
  });
}

/** Without cached results of sessions, which may be deleted at any time. */
const content = () =>
  Object.fromEntries(
    readdirSync(disk, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && entry.name !== "filler" && !entry.parentPath.includes(".cache"))
      .map((entry) => [
        join(entry.parentPath, entry.name),
        readFileSync(join(entry.parentPath, entry.name), "utf8"),
      ]),
  );

test("a file that does not fit leaves nothing behind, and existing files stay", async () => {
  mkdirSync(join(disk, ".claude"));
  const settings = `{ "env": { "A": "${"x".repeat(3_000)}" } }\n`;
  writeFileSync(join(disk, ".claude/settings.json"), settings);
  writeFileSync(join(disk, "old.jsonl"), "old\n");
  writeFileSync(join(disk, "old.jsonl.restore.json"), "old\n");
  writeFileSync(join(disk, "old.html"), "old\n");
  const small = mkdtempSync(join(tmpdir(), "coppice-pruned-"));
  await run(["prune", sample, "-o", join(small, "small.jsonl")]);
  // Enough for the draft of a small file, not for the files.
  fillUp(8_192);
  const before = content();
  const cases: readonly (readonly string[])[] = [
    ["prune", sample, "-o", "new.jsonl"],
    ["prune", sample, "-o", "old.jsonl", "--restore-file", join(small, "elsewhere.json")],
    ["prune", sample, "-o", join(small, "other.jsonl"), "--restore-file", "new.json"],
    ["restore", join(small, "small.jsonl"), "-o", "old.jsonl"],
    ["report", sample, "-o", "old.html"],
    ["report", resolve(sample, ".."), "-o", "pages", "--top", "1"],
  ];
  for (const args of cases) {
    const { code, err } = await run(args);
    expect({ args, code }).toEqual({ args, code: 1 });
    expect(err, args.join(" ")).toContain("can't be written: the disk is full");
    expect(err).not.toMatch(/ {4}at |bug in Coppice|ENOSPC/);
    expect(content(), args.join(" ")).toEqual(before);
  }
  // If one of two files did not fit, the other does not exist either.
  expect(readdirSync(small).sort()).toEqual(["small.jsonl", "small.jsonl.restore.json"]);
  rmSync(small, { recursive: true });
});

test("settings of an agent stay whole", async () => {
  mkdirSync(join(disk, ".claude"));
  writeFileSync(join(disk, ".claude/settings.json"), `{ "env": { "A": "${"x".repeat(9_000)}" } }\n`);
  // The copy fits, the new file does not.
  fillUp(12_288);
  const before = content();
  const { code, err } = await run(["init", "claude", "--yes"]);
  expect(code).toBe(1);
  expect(err).toContain("nothing was changed");
  expect(err).toContain("the disk is full");
  expect(content()).toEqual(before);
});

test("statistics leave no draft behind", () => {
  const file = new StatisticsFile(join(disk, "statistics.json"));
  fillUp(0);
  file.record("s".repeat(9_000), {
    cuts: {},
    saved: 1,
    billSaved: 1,
    input: { total: 1, fromCache: 1 },
    deferred: { cuts: 0, tokens: 0 },
  });
  expect(content()).toEqual({});
});

test("standard output on a full disk is reported in a sentence", () => {
  const full = openSync("/dev/full", "w");
  const env = { PATH: process.env.PATH, HOME: disk };
  for (const args of [
    ["analyze", sample],
    ["prune", sample],
    ["report", sample, "-o", "-"],
  ]) {
    let found: { readonly status?: number | null; readonly stderr?: Buffer } = {};
    try {
      execFileSync(process.execPath, [bin, ...args], { env, stdio: ["ignore", full, "pipe"] });
    } catch (error) {
      found = error as typeof found;
    }
    expect(found.status).toBe(1);
    expect(`${found.stderr}`).toContain("standard output can't be written: the disk is full");
    expect(`${found.stderr}`).not.toMatch(/ {4}at /);
  }
  closeSync(full);
});
