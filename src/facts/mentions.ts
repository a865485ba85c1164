import { trimEndOf } from "../basics/trim-end.ts";
import type { UndoLog } from "../transcript/undo-log.ts";

/** In characters. A longer run is not a path that somebody wrote. */
const LONGEST = 300;

/** How many folders of a path are compared. */
const DEEPEST = 16;

/**
 * The files and folders that texts name, and when each was last named.
 *
 *   "see engine.ts"             names src/shared/engine.ts
 *   "see shared/engine.ts"      names src/shared/engine.ts, but not src/other/engine.ts
 *   "see /repo/src/engine.ts"   names src/engine.ts
 *   "look into src/shared"      names src/shared/engine.ts by its folder
 */
export class Mentions {
  /** By path as written: when it was last named. */
  readonly #written = new Map<string, number>();
  /** By the end of such a path, because a call may have the shorter path. */
  readonly #ends = new Map<string, number>();
  readonly #undoLog: UndoLog;

  constructor(undoLog: UndoLog) {
    this.#undoLog = undoLog;
  }

  /** Adds a text. Returns whether it names a file or a folder. */
  ingest(text: string, at: number): boolean {
    let names = false;
    for (const path of listPaths(text)) {
      names = true;
      this.#set(this.#written, path, at);
      for (const end of listEnds(path)) if (end !== path && end.includes("/")) this.#set(this.#ends, end, at);
    }
    return names;
  }

  /** When a file was last named; −1: never. */
  fileAt({ whole, ends }: Spellings): number {
    return ends.reduce(
      (last, end) => Math.max(last, this.#written.get(end) ?? -1),
      this.#ends.get(whole) ?? -1,
    );
  }

  /** The same for its folders. */
  folderAt({ folders }: Spellings): number {
    return folders.reduce((last, folder) => Math.max(last, this.#written.get(folder) ?? -1), -1);
  }

  #set(map: Map<string, number>, path: string, at: number): void {
    if ((map.get(path) ?? -1) < at) this.#undoLog.set(map, path, at);
  }
}

/** The ways in which a text may name a file. */
export interface Spellings {
  readonly whole: string;
  /** `src/shared/engine.ts`, `shared/engine.ts`, `engine.ts`. */
  readonly ends: readonly string[];
  /** `src/shared`, `src/shared/`, `shared/`, `src/`: a single folder needs its slash. */
  readonly folders: readonly string[];
}

export function spell(path: string): Spellings {
  const whole = trimRoot(path);
  const names = whole.split("/").slice(0, -1).slice(-DEEPEST);
  const folders = names.flatMap((_, to) =>
    names.slice(0, to + 1).flatMap((_, from) => {
      const folder = names.slice(from, to + 1).join("/");
      return from < to ? [folder, `${folder}/`] : [`${folder}/`];
    }),
  );
  // Kept for every file: the copies take no more room than they need.
  return { whole, ends: [...listEnds(whole)].slice(), folders: folders.slice() };
}

const RUN = /[\p{L}\p{N}_@+~.\\/-]+/gu;

function* listPaths(text: string): Iterable<string> {
  for (const [run] of text.matchAll(RUN)) {
    if (run.length > LONGEST) continue;
    const path = trimEndOf(trimRoot(run.replace(/^@/, "").replaceAll("\\", "/")), ".-");
    if (/[^/]\/|[^./]{2}\.[^./]|[^./]\.[^./]{2}/.test(path)) yield path;
  }
}

function trimRoot(path: string): string {
  return path.replace(/^(?:\.{0,2}\/)+/, "");
}

function* listEnds(path: string): Iterable<string> {
  let end = path;
  for (let i = 0; i < DEEPEST; i++) {
    yield end;
    const slash = end.indexOf("/");
    if (slash < 0 || slash === end.length - 1) return;
    end = end.slice(slash + 1);
  }
}
