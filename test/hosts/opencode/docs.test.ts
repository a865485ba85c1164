import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { VERSION } from "../../../src/basics/version.ts";
import { readJsonc } from "../../../src/config/jsonc.ts";
import { parseConfig } from "../../../src/config/parse.ts";
import { listSettings } from "../../../src/config/settings.ts";
import { MECHANISMS } from "../../../src/edits/mechanism.ts";
import { readArguments, USAGE } from "../../../src/hosts/plugin/commands.ts";

const page = readFileSync("docs/opencode.md", "utf8");
const sectionOf = (title: string) => page.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] ?? "";

test("the page pins the version that it is about", () => {
  expect(page.match(/coppice@\d[\w.-]*/g)).toEqual([`coppice@${VERSION}`]);
});

const fragments = ["Settings", "Coming from DCP", "Troubleshooting"]
  .flatMap((title) => [...sectionOf(title).matchAll(/`("\w+": [^`]+)`/g)].map(([, text = ""]) => text))
  .filter((text) => !/^"(?:mode|preset|views)"|^"enabled": false$/.test(text));

test.each(fragments)("%s is a setting", (text) => {
  const { value, mistake } = readJsonc(`{ ${text} }`);
  expect(mistake).toBeUndefined();
  expect(parseConfig(value).issues).toEqual([]);
});

test("settings that are named by their path exist", () => {
  const keys = listSettings().map(({ path }) => path.join("."));
  const named = [...page.matchAll(/`((?:tools|strategies|schedule|commands)\.[\w.]+)`/g)].map(
    ([, key]) => key,
  );
  expect(named.length).toBeGreaterThan(5);
  const unknown = named.filter((key) => key !== undefined && !keys.includes(key));
  expect(unknown).toEqual(["strategies.deduplication"]);
});

test("the page has every command", () => {
  const commands = sectionOf("Commands");
  for (const name of ["stats", "context", "shake", "restore", "explain", "off", "on", "shadow"]) {
    expect(commands).toContain(name);
    expect(readArguments(`${name} a1b2c3`).kind, name).not.toBe("usage");
    if (name !== "stats") expect(USAGE).toContain(name);
  }
});

test("docs/reminders.md explains every mechanism that statistics may name", () => {
  const table = readFileSync("docs/reminders.md", "utf8").split("| mechanism | cut by |")[1] ?? "";
  const named = [...table.matchAll(/^\| ([\w, ]+) \|/gm)].flatMap(([, names = ""]) => names.split(", "));
  expect(named.toSorted()).toEqual([...MECHANISMS].toSorted());
});
