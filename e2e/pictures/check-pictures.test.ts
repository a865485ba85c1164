import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { comparePictures, describePictures, findLinkFaults, type Picture } from "./check-pictures.ts";

const PNG = readFileSync("docs/images/report.png");
const OTHER = readFileSync("docs/images/dashboard.png");

function makePicture(): Picture {
  const folder = mkdtempSync(join(tmpdir(), "coppice-pictures-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "a.png");
  writeFileSync(file, PNG);
  return { file, png: PNG, text: "Bill\n$1.41" };
}

test("a picture with the same text is current, whatever its bytes", () => {
  const picture = makePicture();
  const before = describePictures([makePicture(), picture]);
  expect(comparePictures([picture], before)).toEqual([]);
  const drawnElsewhere = Buffer.concat([PNG, Buffer.from("x")]);
  expect(comparePictures([{ ...picture, png: drawnElsewhere }], before)).toEqual([]);
});

test.each([
  ["Bill\n$1.40", "- $1.41\n  + $1.40"],
  ["Bill\n$1.41\nmore", "- \n  + more"],
  ["Bill", "- $1.41\n  + "],
])("text that has changed to %j is named", (text, difference) => {
  const picture = makePicture();
  const [fault, ...others] = comparePictures([{ ...picture, text }], describePictures([picture]));
  expect(fault).toBe(`${picture.file} is out of date: npm run pictures\n  ${difference}`);
  expect(others).toEqual([]);
});

test("another size, a file that was changed by hand and one that is not described are found", () => {
  const picture = makePicture();
  const before = describePictures([picture]);
  expect(comparePictures([{ ...picture, png: OTHER }], before)[0]).toContain("another size");
  expect(comparePictures([picture], "")[0]).toContain("is not the picture that shown.txt describes");
  writeFileSync(picture.file, OTHER);
  expect(comparePictures([picture], before)[0]).toContain("is not the picture that shown.txt describes");
});

test("linked pictures that are not taken, and pictures without a link, are found", () => {
  const faults = findLinkFaults(["docs/images/report.png", "docs/images/none.png"]);
  expect(faults).toContain("docs/images/none.png is taken, and linked nowhere");
  expect(faults).toContain("docs/images/dashboard.png is linked, and not taken here");
  expect(faults.join()).not.toMatch(/report\.png|economics\.png/);
});
