import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { isRecord } from "../../src/basics/json.ts";

/** A recorded run whose result was judged. */
export interface JudgedRun {
  readonly path: string;
  /** What the table says: `resolved`, `failed`. */
  readonly outcome: string;
}

/** The runs that `OUTCOMES.tsv` in this folder lists, by its columns `file` and `outcome`. */
export function listRuns(folder: string): readonly JudgedRun[] {
  const table = readFileSync(join(folder, "OUTCOMES.tsv"), "utf8");
  const [titles = [], ...rows] = table.split(/\r?\n/).map((line) => line.split("\t"));
  const [file, outcome] = [titles.indexOf("file"), titles.indexOf("outcome")];
  return rows.flatMap((row): readonly JudgedRun[] => {
    const [name, value] = [row[file], row[outcome]];
    return name && value ? [{ path: join(folder, name), outcome: value }] : [];
  });
}

/** The patch that a run ended with: `info.submission` of mini-swe-agent and SWE-agent. */
export function readSubmission(path: string): string {
  const bytes = readFileSync(path);
  const trajectory: unknown = JSON.parse((path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8"));
  const info = isRecord(trajectory) ? trajectory.info : undefined;
  const submission = isRecord(info) ? info.submission : undefined;
  return typeof submission === "string" ? submission : "";
}
