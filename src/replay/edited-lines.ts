import { findEdits } from "../tool-kinds/shell/find-edits.ts";
import type { ToolKinds } from "../tool-kinds/tool-kinds.ts";
import type { FileTouch, ToolUse } from "../tool-kinds/tool-use.ts";
import type { CallPart, Part } from "../transcript/part.ts";
import { collectEditAnchors, isLongLine, listPatchedLines, splitLines } from "./anchors.ts";

/**
 * The lines that edits need, from an edit tool or a shell line:
 *
 *   an edit or a patch                     the lines that it replaces
 *   sed -i 's/const total = 1;/x/' a.ts    the text that it looks for
 *   a whole file, written again            its lines; only those count that were in an earlier result
 *
 * If no earlier call has shown a file, it is new, and none of its lines count.
 */
export class EditedLines {
  readonly #shown = new Set<string>();
  readonly #kinds: ToolKinds;

  constructor(kinds: ToolKinds) {
    this.#kinds = kinds;
  }

  /**
   * Returns the lines of each call in these parts that changes text. Must be called for all parts of a segment, in
   * order.
   */
  read(parts: readonly Part[]): readonly (readonly string[])[] {
    return parts.flatMap((part) => {
      if (part.kind !== "call") return [];
      const use = this.#kinds.describe(part.tool, part.input);
      const lines = this.#listLines(part, use);
      for (const { path, operation } of use.files) if (operation === "read") this.#shown.add(path);
      return lines ? [lines] : [];
    });
  }

  #listLines(call: CallPart, use: ToolUse): readonly string[] | undefined {
    if (use.kind === "edit") return [...collectEditAnchors(call)];
    if (use.kind === "write") return this.#rewrites(use.files) ? listLong([use.content ?? ""]) : undefined;
    if (use.kind !== "shell" || use.command === undefined) return undefined;
    const changes = use.files.filter(({ operation }) => operation !== "read");
    if (changes.length === 0) return undefined;
    const { replaced, patches, written } = findEdits(use.command);
    const lines = [...replaced, ...patches.flatMap(listPatchedLines)];
    return listLong(this.#rewrites(changes) ? [...lines, ...written] : lines);
  }

  #rewrites(files: readonly FileTouch[]): boolean {
    return files.some(({ path, operation }) => operation === "write" && this.#shown.has(path));
  }
}

function listLong(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.flatMap(splitLines).filter(isLongLine))];
}
