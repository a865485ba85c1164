import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepLook } from "../../../src/cli/context/inventory-store.ts";
import { openInventories } from "../../../src/cli/context/known-inventories.ts";
import { redact } from "../../../src/redaction/redact.ts";
import { useFolder } from "../use-folder.ts";

const folder = useFolder("coppice-inventories-");
const before = process.env.XDG_DATA_HOME;
beforeEach(() => {
  process.env.XDG_DATA_HOME = folder.path;
});
afterEach(() => {
  if (before === undefined) delete process.env.XDG_DATA_HOME;
  else process.env.XDG_DATA_HOME = before;
});

const itemsOf = (tokens: number) =>
  [{ group: "built-in tools", name: "Bash", isTool: true, tokens }] as const;
const asItIs = (project: string): string => project;

test("the newest result of an agent in a project; other files are ignored", () => {
  expect(openInventories(asItIs)("claude-code", "/p")).toBeUndefined();
  keepLook("claude", "/p", { time: 1, billed: 1, items: itemsOf(1) });
  keepLook("claude", "/p", { time: 2, billed: 1, items: itemsOf(2) });
  keepLook("codex", "/p", { time: 1, billed: 1, items: itemsOf(3) });
  writeFileSync(join(folder.path, "coppice/context/0.json"), "{cut o");
  const find = openInventories(asItIs);
  expect(find("claude-code", "/p")).toEqual(itemsOf(2));
  expect(find("codex", "/p")).toEqual(itemsOf(3));
  expect(find("claude-code", "/q")).toBeUndefined();
  expect(find("swe-agent", "/p")).toBeUndefined();
});

test("masked sessions name their folder without the user", () => {
  keepLook("claude", "/home/ada/shop", { time: 1, billed: 1, items: itemsOf(1) });
  const masked = redact("/home/ada/shop");
  expect(masked).not.toContain("ada");
  expect(openInventories((project) => redact(project))("claude-code", masked)).toEqual(itemsOf(1));
});
