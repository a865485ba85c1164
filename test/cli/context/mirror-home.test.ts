import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mirrorHome } from "../../../src/cli/context/mirror-home.ts";
import { useFolder } from "../use-folder.ts";

const folder = useFolder("coppice-mirror-");

test("settings are copied, sessions and logins left out, everything else is linked", () => {
  for (const [path, text] of [
    ["home/.claude/settings.json", "{}"],
    ["home/.claude/skills/a/SKILL.md", "a"],
    ["home/.claude/.credentials.json", "secret"],
    ["home/.claude/projects/-p/1.jsonl", "session"],
    ["home/.claude/projects/-p/memory/MEMORY.md", "remembered"],
    ["home/.claude/plugins/x/node_modules/y/index.js", "y"],
    ["home/.claude/history.jsonl", "said"],
    ["home/.claude.json", "{}"],
    ["home/.local/share/coppice/journal.db", "ours"],
    ["home/.local/share/other/file", "other"],
    ["home/notes.txt", "notes"],
  ] as const)
    folder.write(path, text);
  const [home, second] = [join(folder.path, "home"), join(folder.path, "second")];
  mirrorHome(home, second, [".claude", ".claude.json"]);

  const read = (path: string) => readFileSync(join(second, path), "utf8");
  expect(read(".claude/skills/a/SKILL.md")).toBe("a");
  expect(read(".claude/projects/-p/memory/MEMORY.md")).toBe("remembered");
  expect(readdirSync(join(second, ".claude")).sort()).toEqual([
    "plugins",
    "projects",
    "settings.json",
    "skills",
  ]);
  expect(readdirSync(join(second, ".claude/projects/-p"))).toEqual(["memory"]);
  expect(existsSync(join(second, ".local/share/coppice"))).toBe(false);
  const isLink = (path: string) => lstatSync(join(second, path)).isSymbolicLink();
  expect(["notes.txt", ".local/share/other", ".claude/plugins/x/node_modules"].map(isLink)).toEqual([
    true,
    true,
    true,
  ]);

  writeFileSync(join(second, ".claude.json"), "changed");
  writeFileSync(join(second, ".claude/settings.json"), "changed");
  mkdirSync(join(second, ".local/share/new"));
  mkdirSync(join(second, ".local/share/coppice"));
  expect(readFileSync(join(home, ".claude.json"), "utf8")).toBe("{}");
  expect(readFileSync(join(home, ".claude/settings.json"), "utf8")).toBe("{}");
  expect(readdirSync(join(home, ".local/share")).sort()).toEqual(["coppice", "other"]);
});

test("a missing home folder gives an empty one", () => {
  mirrorHome(join(folder.path, "nowhere"), join(folder.path, "second"), [".claude"]);
  expect(readdirSync(join(folder.path, "second"))).toEqual([]);
});
