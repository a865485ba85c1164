import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepLook, readLastLook } from "../../../src/cli/context/inventory-store.ts";
import { useFolder } from "../use-folder.ts";

const folder = useFolder("coppice-looks-");
const before = process.env.XDG_DATA_HOME;
beforeEach(() => {
  process.env.XDG_DATA_HOME = folder.path;
});
afterEach(() => {
  if (before === undefined) delete process.env.XDG_DATA_HOME;
  else process.env.XDG_DATA_HOME = before;
});

const items = [{ group: "built-in tools", name: "Bash", isTool: true, tokens: 900 }] as const;
const fileOf = () =>
  join(folder.path, "coppice/context", readdirSync(join(folder.path, "coppice/context"))[0] ?? "");

test("finds the newest result of a project and client, in a file that only the user can read", () => {
  expect(readLastLook("claude", "/p")).toBeUndefined();
  for (let time = 1; time <= 25; time++) keepLook("claude", "/p", { time, model: "m", billed: 1.3, items });
  expect(readLastLook("claude", "/p")).toEqual({ time: 25, model: "m", billed: 1.3, items });
  expect(readLastLook("claude", "/q")).toBeUndefined();
  expect(readLastLook("codex", "/p")).toBeUndefined();
  expect(statSync(fileOf()).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(fileOf(), "utf8")).looks).toHaveLength(20);
});

test("a damaged file is ignored", () => {
  keepLook("claude", "/p", { time: 1, billed: 1, items });
  writeFileSync(fileOf(), '{"looks":[5,{"ti');
  expect(readLastLook("claude", "/p")).toBeUndefined();
  keepLook("claude", "/p", { time: 2, billed: 1, items });
  expect(readLastLook("claude", "/p")?.time).toBe(2);
});
