import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The npm packages that files of a bundle come from: name with version, licence, and the licence's text.
 *
 *   node_modules/@a/b/src/c.js   is of the package in   node_modules/@a/b
 */
export function listLibraries(files) {
  const folders = files.flatMap((file) => file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []);
  return [...new Set(folders)].sort().map((library) => {
    const { name, version, license } = JSON.parse(readFileSync(join(library, "package.json"), "utf8"));
    const file = readdirSync(library).find((each) => /^licen[cs]e/i.test(each));
    const text = file ? readFileSync(join(library, file), "utf8") : `Licence: ${license}`;
    return { name: `${name} ${version}`, licence: license, text };
  });
}

/** The text of a `LICENSES.txt`. */
export function formatLicences(libraries) {
  return libraries.map(({ name, text }) => `${name}\n\n${text.trim()}\n`).join("\n----\n\n");
}
