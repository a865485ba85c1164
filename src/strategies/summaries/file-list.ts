import { countOf } from "../../basics/numbers.ts";
import { splitLines } from "./lines.ts";
import { chooseFew } from "./salience.ts";
import { bracket, type Summarizer } from "./summary.ts";
import { titleOf } from "./title.ts";

const FILES_SHOWN = 3;

/** `[Pruned list_files: 127 files, e.g., a.py, b.py, c.py...]` */
export const summarizeFileList: Summarizer = (use, text, { salience }) => {
  const names = listNames(text);
  if (names.length === 0) return undefined;
  const files = names.filter((name) => !name.endsWith("/"));
  const listed = files.length > 0 ? files : names;
  const chosen = chooseFew(listed, FILES_SHOWN, salience).map((i) => listed[i]);
  const count =
    files.length > 0 ? countOf(files.length, "file") : countOf(names.length, "directory", "directories");
  const more = listed.length > FILES_SHOWN ? "..." : "";
  return bracket(`${titleOf(use)}: ${count}, e.g., ${chosen.join(", ")}${more}`);
};

/** The names in a list of files, in any usual form: a JSON list, `ls -l`, bullets, `[FILE] a.ts`. */
function listNames(text: string): readonly string[] {
  const listed = text.trimStart().startsWith("[") ? parseNames(text) : undefined;
  return listed ?? splitLines(text).flatMap((line) => nameIn(line) ?? []);
}

function nameIn(line: string): string | undefined {
  const name = nameBehindDetails(line);
  const bare = line.trim().replace(/^(?:[-*•]|\[(?:FILE|DIR)\]|\d+[.)])\s+/, "");
  const isDirectory = /^\s*d[rwx-]/.test(line) || line.includes("[DIR]");
  const found = name || bare;
  if (found === "" || found.length > 300 || NO_NAME.test(found)) return undefined;
  return isDirectory && !found.endsWith("/") ? `${found}/` : found;
}

const LS_DETAILS = /^[-dlbcps][-rwxsStT]{9}\S*\s+\d+\s/;
const WORDS_OF_DETAILS = 8;

/** `-rw-r--r-- 1 me me 812 Nov 16 10:00 a.ts` */
function nameBehindDetails(line: string): string {
  if (!LS_DETAILS.test(line)) return "";
  let words = 0;
  for (const { index } of line.matchAll(/\S+/g)) if (words++ === WORDS_OF_DETAILS) return line.slice(index);
  return "";
}

const NO_NAME = /^(?:total \d+|\(.*\)|found \d+ .*|showing .*|\.{1,3}\/?|no files found.*)$/i;

function parseNames(text: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
  } catch {
    return undefined;
  }
}
