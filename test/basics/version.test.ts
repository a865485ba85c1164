import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { VERSION } from "../../src/basics/version.ts";

test("the version is that of the package", () => {
  expect(VERSION).toBe((JSON.parse(readFileSync("package.json", "utf8")) as { version: string }).version);
});
