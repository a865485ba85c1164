import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const FOLDER = resolve("../shared/data/sessions");
const INDEX = join(FOLDER, "INDEX.tsv");

/** Recorded sessions are next to the repository on a developer's machine, and are not part of it. */
export const recorded: readonly string[] = existsSync(INDEX)
  ? readFileSync(INDEX, "utf8")
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => join(FOLDER, line.split("\t")[0] ?? ""))
  : [];

/** The project's own always exist. */
export const samples: readonly string[] = readdirSync("samples")
  .filter((name) => name.endsWith(".jsonl"))
  .map((name) => resolve("samples", name));
