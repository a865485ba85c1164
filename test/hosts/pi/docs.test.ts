import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readArguments } from "../../../src/hosts/plugin/commands.ts";

const page = readFileSync("docs/pi.md", "utf8");
const manifest = JSON.parse(readFileSync("package.json", "utf8"));

test("OpenCode's page has every command, and this one leads there", () => {
  expect(page).toContain("(opencode.md#commands)");
  const commands = readFileSync("docs/opencode.md", "utf8").split("## Commands")[1];
  for (const name of ["stats", "context", "shake", "restore", "explain", "off", "on", "shadow"]) {
    expect(commands).toContain(name);
    expect(readArguments(`${name} a1b2c3`).kind, name).not.toBe("usage");
  }
});

test("pi finds the extension that the package exports", () => {
  expect(page).toContain(`pi install npm:${manifest.name}`);
  expect(manifest.pi.extensions).toEqual([manifest.exports["./pi"].default]);
});
