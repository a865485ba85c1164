import type { ResultContent, TodoStatus, ToolKind } from "./tool-use.ts";

/** Names of input fields; the first one found is used. `file_path`, `filePath` and `FilePath` are one name. */
export type FieldNames = string | readonly string[];

/** The fields of a call's line range. */
export interface RangeFields {
  readonly from?: FieldNames;
  readonly to?: FieldNames;
  /** The number of lines, from `from` on. */
  readonly limit?: FieldNames;
  /** Both ends in one field: `[10, 40]`, `"10-40"`, or a list of these; -1 means the end of the file. */
  readonly pair?: FieldNames;
  /** The number of lines at the end of the file. */
  readonly tail?: FieldNames;
  /** The number of lines shown if the call names no end. */
  readonly window?: number;
}

/**
 * The meaning of a tool, as data. Fields that an entry does not name are searched under the usual names of its kind
 * (see `usualFields`); an empty list turns one off.
 *
 *   { names: ["peek", "acme_*"], kind: "read", path: "where" }
 */
export interface ToolKindEntry {
  /** Names or globs. Case, `_` and `-` are ignored, and so is an MCP prefix, unless the name here has one. */
  readonly names: readonly string[];
  readonly kind: ToolKind;
  /** Contains a path, a list of paths, or a list of objects that have a path (and a range). */
  readonly path?: FieldNames;
  readonly range?: RangeFields;
  readonly content?: FieldNames;
  /** Contain the numbers of the lines that an edit changes. */
  readonly lines?: FieldNames;
  /** Contains an `apply_patch` envelope or a unified diff. */
  readonly patch?: FieldNames;
  /** Contains a shell line, or its words as a list. */
  readonly command?: FieldNames;
  readonly directory?: FieldNames;
  readonly url?: FieldNames;
  readonly query?: FieldNames;
  /**
   * Contains the whole todo list: items, texts, or a Markdown checklist. (The input of a partial call is the item.)
   */
  readonly todos?: FieldNames;
  /** The status that a partial todo call sets just by its name. */
  readonly sets?: TodoStatus;
  /** More fields that stay when an input shrinks. */
  readonly identifying?: FieldNames;
  /** One tool, several kinds: `{ field: "command", kinds: { view: "read", create: "write" } }`. */
  readonly kindBy?: { readonly field: string; readonly kinds: Readonly<Record<string, ToolKind>> };
  /** The field that contains the real input. */
  readonly within?: string;
  /** The command is not a POSIX shell line: PowerShell, Python. */
  readonly foreign?: true;
  /** An input that is plain text is JavaScript that calls tools: Codex's `exec`. */
  readonly script?: true;
  /** See `ToolUse.plan`. */
  readonly plan?: true;
  /** The subject of a whole result that is a snapshot: `page`, `screen`. The identifying fields tell which one. */
  readonly snapshot?: string;
  /** See `ToolUse.shows`. */
  readonly shows?: ResultContent;
  /** See `ToolUse.partial`. */
  readonly partial?: true;
  /** `ToolUse.loads` applies to calls with this field. */
  readonly loads?: FieldNames;
}
