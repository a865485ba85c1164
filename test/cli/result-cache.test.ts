import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openCache } from "../../src/cli/result-cache.ts";

let root = "";
let folder = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "coppice-cache-"));
  folder = join(root, "analyze");
});
afterEach(() => rmSync(root, { recursive: true }));
const fileOf = () => join(folder, readdirSync(folder)[0] ?? "");

it("keeps a result while the file does not change, readable only for its owner", () => {
  const first = openCache(folder, "key");
  first.put("/a", "1", { money: 1, text: "grüße\u2028\n" });
  first.put("/b", "1", { money: 2 });
  first.put("/b", "2", { money: 3 });
  const cache = openCache(folder, "key");
  expect(cache.get("/a", "1")).toEqual({ money: 1, text: "grüße\u2028\n" });
  expect(cache.get("/a", "2")).toBeUndefined();
  expect(cache.get("/b", "1")).toBeUndefined();
  expect(cache.get("/b", "2")).toEqual({ money: 3 });
  expect(cache.trouble).toBeUndefined();
  expect(statSync(fileOf()).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
});

it("has no results of other settings", () => {
  openCache(folder, "key").put("/a", "1", 1);
  expect(openCache(folder, "other key").get("/a", "1")).toBeUndefined();
});

it.each([
  ["cut off", (file: string) => truncateSync(file, statSync(file).size - 5)],
  ["changed", (file: string) => writeFileSync(file, readFileSync(file, "utf8").replace('"/b"', '"/c"'))],
  [
    "no text",
    (file: string) =>
      writeFileSync(file, Buffer.concat([readFileSync(file).subarray(0, 60), Buffer.from([0, 255, 10])])),
  ],
])("skips a line that was %s, reports it once, and continues", (_, damage) => {
  const first = openCache(folder, "key");
  first.put("/a", "1", 1);
  first.put("/b", "1", 2);
  damage(fileOf());
  const second = openCache(folder, "key");
  expect(second.trouble).toMatch(/damaged/);
  expect(second.get("/b", "1")).toBeUndefined();
  expect(second.get("/c", "1")).toBeUndefined();
  second.put("/b", "1", 2);
  const third = openCache(folder, "key");
  expect(third.trouble).toBeUndefined();
  expect(third.get("/b", "1")).toBe(2);
});

it("reports that it can't be written, and works without a cache", () => {
  writeFileSync(folder, "a file where the folder should be");
  const cache = openCache(folder, "key");
  cache.put("/a", "1", 1);
  expect(cache.get("/a", "1")).toBeUndefined();
  expect(cache.trouble).toMatch(/^results are not cached for the next run: /);
});

it("deletes old results of other settings", () => {
  openCache(folder, "old").put("/a", "1", 1);
  utimesSync(fileOf(), 0, 0);
  openCache(folder, "new").put("/a", "1", 1);
  expect(readdirSync(folder)).toHaveLength(1);
  expect(openCache(folder, "old").get("/a", "1")).toBeUndefined();
});
