import { trimEndOf } from "../../basics/trim-end.ts";
import { MessageBench } from "../../edits/message-bench.ts";
import type { FormatChoice } from "../../formats/format.ts";
import { maskLabel } from "../../redaction/mask-label.ts";
import { normalizePath } from "../../tool-kinds/paths.ts";
import { createToolKinds, type ToolKinds } from "../../tool-kinds/tool-kinds.ts";
import { listAccesses } from "./file-accesses.ts";

export type FileAccess = "read" | "create" | "edit" | "delete";

/** Data on a file that was accessed. Time is counted in steps. */
export interface FileReference {
  readonly path: string;
  readonly lastAccessStep: number;
  /** Was it ever modified? */
  readonly wasModified: boolean;
  /** The last operation. */
  readonly operation: FileAccess;
  /** The first 200 characters of the content last seen. */
  readonly contentPreview?: string;
  readonly lineCount?: number;
}

export interface FromMessagesOptions {
  /** For messages whose format can't be detected. */
  readonly format?: FormatChoice;
  readonly toolKinds?: ToolKinds;
}

const PREVIEW_CHARACTERS = 200;

/** The files of a conversation: when they were last accessed, and whether they were changed. */
export class FileTracker {
  readonly #files = new Map<string, FileReference>();
  readonly #byName = new Map<string, string>();

  /** Finds the accesses in messages of any format: in the arguments of calls, or, without a call, in the result. */
  static fromMessages(messages: readonly unknown[], options: FromMessagesOptions = {}): FileTracker {
    const { format, toolKinds = createToolKinds() } = options;
    const bench = new MessageBench(messages, { toolKinds, ...(format && { format }) });
    return FileTracker.fromBench(bench, messages, toolKinds);
  }

  /** The same for messages that a bench has decoded already. */
  static fromBench<M>(bench: MessageBench<M>, messages: readonly M[], kinds: ToolKinds): FileTracker {
    const tracker = new FileTracker();
    for (const { path, text, step, operation, content } of listAccesses(bench, messages, kinds)) {
      const known = path ?? tracker.findNamed(text);
      if (known !== undefined) tracker.trackAccess(known, step, operation, content);
    }
    return tracker;
  }

  trackAccess(path: string, step: number, operation: FileAccess, content?: string): void {
    const file = normalizePath(path);
    const before = this.#files.get(file);
    const seen =
      content === undefined
        ? before && pickSeen(before)
        : {
            contentPreview: takeFirst(
              maskLabel(takeFirst(content, 2 * PREVIEW_CHARACTERS)),
              PREVIEW_CHARACTERS,
            ),
            lineCount: countLines(content),
          };
    this.#files.delete(file);
    this.#files.set(file, {
      path: file,
      lastAccessStep: Math.max(step, before?.lastAccessStep ?? step),
      wasModified: before?.wasModified === true || operation !== "read",
      operation,
      ...seen,
    });
    this.#byName.set(file.slice(file.lastIndexOf("/") + 1), file);
  }

  wasModified(path: string): boolean {
    return this.#files.get(normalizePath(path))?.wasModified === true;
  }

  getModifiedFiles(): Set<string> {
    const modified = [...this.#files.values()].filter((file) => file.wasModified);
    return new Set(modified.map(({ path }) => path));
  }

  /** Was it last accessed more than `maxAge` steps ago, or never? */
  isStale(path: string, step: number, maxAge: number): boolean {
    const file = this.#files.get(normalizePath(path));
    return !file || step - file.lastAccessStep > maxAge;
  }

  /** The files touched in the last `maxAge` steps, newest first. */
  getRecentFiles(step: number, maxAge: number): readonly FileReference[] {
    return [...this.#files.values()]
      .filter(({ path }) => !this.isStale(path, step, maxAge))
      .reverse()
      .sort((a, b) => b.lastAccessStep - a.lastAccessStep);
  }

  get(path: string): FileReference | undefined {
    return this.#files.get(normalizePath(path));
  }

  /** The first tracked file whose base name occurs in the text as a word. */
  findNamed(text: string): string | undefined {
    if (this.#byName.size === 0) return undefined;
    for (const [word] of text.matchAll(/[^\s/\\"'`()[\]{}<>,;:|=]+/g)) {
      const path = this.#byName.get(word) ?? this.#byName.get(trimEndOf(word, ".!?"));
      if (path !== undefined) return path;
    }
    return undefined;
  }
}

function pickSeen({ contentPreview, lineCount }: FileReference): Partial<FileReference> {
  return {
    ...(contentPreview !== undefined && { contentPreview }),
    ...(lineCount !== undefined && { lineCount }),
  };
}

/** A line break at the end does not begin another line. */
export function countLines(text: string): number {
  if (text === "") return 0;
  let lines = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

/** The first characters of a text; half a surrogate pair at the end is left out. */
export function takeFirst(text: string, characters: number): string {
  const first = text.slice(0, characters);
  return first.isWellFormed() || !text.isWellFormed() ? first : first.slice(0, -1);
}
