import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { Recording } from "../../src/recordings/index.ts";

/**
 * The project that a session worked on: the repository that an `INDEX.tsv` in a folder above names for the file, else the
 * folder that the agent worked in, else the agent.
 *
 *   sessions/INDEX.tsv: codex/a.jsonl.gz … acme/shop   ->  acme/shop
 *   /home/ann/work/shop/.worktrees/fix-1               ->  shop
 */
export function projectOf(file: string, { project, source }: Pick<Recording, "project" | "source">): string {
  return findInIndex(file) ?? (project === undefined ? undefined : nameFolder(project)) ?? source;
}

function findInIndex(file: string): string | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const repository = readIndex(folder).get(relative(folder, file).split(sep).join("/"));
    if (repository !== undefined || folder === dirname(folder)) return repository;
  }
}

const known = new Map<string, ReadonlyMap<string, string>>();

/** Repositories by file, as the columns `file` and `source_repo` have them. */
function readIndex(folder: string): ReadonlyMap<string, string> {
  const path = join(folder, "INDEX.tsv");
  const read = known.get(path) ?? (existsSync(path) ? parseIndex(readFileSync(path, "utf8")) : new Map());
  known.set(path, read);
  return read;
}

function parseIndex(text: string): ReadonlyMap<string, string> {
  const [titles = [], ...rows] = text.split(/\r?\n/).map((line) => line.split("\t"));
  const [file, repository] = [titles.indexOf("file"), titles.indexOf("source_repo")];
  return new Map(
    rows.flatMap((row): readonly (readonly [string, string])[] => {
      const [name, value] = [row[file], row[repository]];
      return name && value ? [[name, value]] : [];
    }),
  );
}

/** The last folder of a path of any system, but for worktrees: these are named after what they were made from. */
function nameFolder(path: string): string | undefined {
  const folders = path.split(/[/\\]/).filter((each) => each !== "");
  const worktrees = folders.findIndex((each) => each.endsWith("worktrees"));
  const own = worktrees < 0 ? folders.at(-1) : folders[worktrees];
  const name = own?.replace(/[._]*worktrees$/, "");
  return name === "" ? folders[worktrees - 1] : name;
}
