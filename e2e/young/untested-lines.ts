import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Lines of a page's examples that none of these test files has. Imports are written differently in the tests, and
 * options are added where the page has none: `coppiceFetch(options)` for `coppiceFetch()`, `{ a, ...settings }` for
 * `{ a }`.
 */
export function listUntestedLines(page: string, ...testUrls: readonly string[]): readonly string[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), "utf8");
  const examples = [...text.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, example = ""]) => example);
  if (examples.length === 0) throw new Error(`${page} has no example`);
  const tested = testUrls.map((url) => readFileSync(fileURLToPath(url), "utf8")).join("\n");
  const known = new Set(
    tested.replaceAll("(options)", "()").replaceAll(", ...settings }", " }").split("\n").map(bare),
  );
  return examples
    .flatMap((example) => example.split("\n"))
    .map(bare)
    .filter((line) => line !== "" && !line.startsWith("import ") && !known.has(line));
}

/** Indentation and `export` are ignored. */
function bare(line: string): string {
  return line.trim().replace(/^export /, "");
}
