import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Lines of a page's first example that a test file does not have; imports are written differently here. */
export function listUntestedLines(page: string, testUrl: string): readonly string[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), "utf8");
  const example = /^```ts\n([\s\S]*?)^```/m.exec(text)?.[1];
  if (example === undefined) throw new Error(`${page} has no example`);
  const tested = readFileSync(fileURLToPath(testUrl), "utf8");
  return example
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("import ") && !tested.includes(line));
}
