/** All tests in one process: starting Node once per file would take longer than the tests. */
import { readdirSync } from "node:fs";

const names = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".test.js"));
for (const name of names.sort()) await import(`./${name}`);
