/**
 * How likely is a text needed again? Counted on recorded sessions: `npm run bench:risk -- FOLDER`. Half a gives the
 * table of `src/risk/need-table.ts`, half b shows how well it fits.
 */
import { readRecording } from "../src/recordings/index.ts";
import { listSessions } from "./economics/sessions.ts";
import { collectUses, type Result } from "./risk/collect-uses.ts";
import { formatTables } from "./risk/fit.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: npm run bench:risk -- FOLDER");
  process.exit(2);
}
const [a, b] = [await readHalf(folder, "a"), await readHalf(folder, "b")];
console.log(`half a\n${formatTables(a)}\n\nhalf b\n${formatTables(b)}`);

async function readHalf(path: string, half: "a" | "b"): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const file of listSessions([path], half)) {
    const read = await readRecording(file);
    if (read.ok) for (const result of collectUses(read.value)) results.push(result);
  }
  return results;
}
