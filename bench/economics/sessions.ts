import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { hashText } from "../../src/transcript/hash.ts";

export type Half = "a" | "b";

const SAMPLE = "samples/discount-service.jsonl";

/** The files given, and those in the folders given, each once and in the order of their names; or the project's sample. */
export function listSessions(paths: readonly string[], half: Half | undefined): readonly string[] {
  const files = [...new Set((paths.length > 0 ? paths : [SAMPLE]).flatMap(listFiles))];
  return files
    .filter((file) => half === undefined || halfOf(file) === half)
    .toSorted((a, b) => (a < b ? -1 : 1));
}

function listFiles(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path, { withFileTypes: true });
  return entries.flatMap((entry) => {
    if (entry.isDirectory()) return listFiles(join(path, entry.name));
    return RECORDING.test(entry.name) ? [join(path, entry.name)] : [];
  });
}

const RECORDING = /\.(?:jsonl|json|traj)(?:\.gz)?$/;

/** By the file's name alone, so that a session stays in its half whatever else is given. */
export function halfOf(file: string): Half {
  return Number.parseInt(hashText(basename(file)).slice(0, 8), 16) % 2 === 0 ? "a" : "b";
}
