import { open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { SessionFile } from "./find-sessions.ts";
import { splitStored } from "./opencode-database.ts";

/** A session that was found. */
export interface Linked extends SessionFile {
  /** For a subagent's: the path of the session that started it, if already known. */
  readonly parent?: string;
  /** Not requested: it is included only if a requested session started it. */
  readonly neighbour?: true;
}

export const AGENT_FILE: RegExp = /(?:^|[\\/])agent-[^\\/]*\.jsonl$/;

/** Adds the sessions of subagents to those that started them. One whose parent is not in the list stays separate. */
export async function joinSubagents(found: readonly Linked[]): Promise<readonly SessionFile[]> {
  const files = await Promise.all(dropCopies(found).map(findParent));
  const byPath = new Map(files.map((file) => [file.path, file]));
  const groups = new Map<Linked, Linked[]>();
  for (const file of files) {
    const root = findRoot(file, byPath);
    const group = groups.get(root) ?? [];
    groups.set(root, group);
    if (file !== root) group.push(file);
  }
  return [...groups].flatMap(([{ parent: _, neighbour, ...file }, own]) => {
    if (neighbour) return [];
    if (own.length === 0) return [file];
    return [
      {
        ...file,
        bytes: own.reduce((sum, { bytes }) => sum + bytes, file.bytes),
        stamp: [file, ...own].map(({ stamp }) => stamp).join(" "),
        subagents: own.map(({ path }) => path),
      },
    ];
  });
}

/** OpenCode kept the files of older sessions when it moved them into its database. */
function dropCopies(files: readonly Linked[]): readonly Linked[] {
  const stored = new Set(files.map(({ path }) => splitStored(path)?.session));
  return files.filter(({ path }) => !stored.has(STORED_FILE.exec(path)?.[1] ?? ""));
}

const STORED_FILE = /[\\/]storage[\\/]session[\\/][^\\/]+[\\/](ses_\w+)\.json$/;

/**
 * Claude Code keeps a subagent's session in a separate file, in older versions next to the session; OpenCode's file
 * names its parent.
 *
 *   <session>.jsonl, <session>/subagents/agent-a1.jsonl
 *   <session>.jsonl, agent-a1.jsonl                        lines with "sessionId":"<session>"
 *   ses_1.json, ses_2.json                                 "parentID": "ses_1"
 */
async function findParent(file: Linked): Promise<Linked> {
  const { path, parent } = file;
  const folder = dirname(path);
  if (parent !== undefined) return file;
  if (STORED_FILE.test(path)) {
    const id = /"parentID":\s*"(ses_\w+)"/.exec(await readStart(path))?.[1];
    return id === undefined ? file : { ...file, parent: join(folder, `${id}.json`) };
  }
  if (!AGENT_FILE.test(path)) return file;
  if (basename(folder) === "subagents") return { ...file, parent: `${dirname(folder)}.jsonl` };
  const id = /"sessionId":\s*"([\w-]+)"/.exec(await readStart(path))?.[1];
  return id === undefined ? file : { ...file, parent: join(folder, `${id}.jsonl`) };
}

/** Subagents may have subagents: the first of their ancestors that was requested. */
function findRoot(file: Linked, byPath: ReadonlyMap<string, Linked>): Linked {
  const seen = new Set<Linked>();
  let root = file;
  for (let next: Linked | undefined = file; next && !seen.has(next); next = byPath.get(next.parent ?? "")) {
    seen.add(next);
    if (!next.neighbour) root = next;
  }
  return root;
}

const START = 65_536;

async function readStart(path: string): Promise<string> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(START) });
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return "";
  }
}
