import type { ResultContent, TodoStatus, ToolKind } from "./tool-use.ts";

/** Names of input fields, first found wins. `file_path`, `filePath` and `FilePath` are one name. */
export type FieldNames = string | readonly string[];

/** Where a call says which lines it means. */
export interface RangeFields {
  readonly from?: FieldNames;
  readonly to?: FieldNames;
  /** How many lines, from `from` on. */
  readonly limit?: FieldNames;
  /** Both ends in one field: `[10, 40]`, `"10-40"`, or a list of these; -1 means the end of the file. */
  readonly pair?: FieldNames;
  /** How many lines at the end of the file. */
  readonly tail?: FieldNames;
  /** How many lines are shown where the call names no end. */
  readonly window?: number;
}

/**
 * What a tool means, as data. Fields that an entry does not name are looked for under the usual names of its kind
 * (see `usualFields`); an empty list turns one off.
 *
 *   { names: ["peek", "acme_*"], kind: "read", path: "where" }
 */
export interface ToolKindEntry {
  /** Names or globs. Case, `_` and `-` do not count, nor an MCP prefix, unless the name here has one. */
  readonly names: readonly string[];
  readonly kind: ToolKind;
  /** Holds a path, a list of paths, or a list of objects that have a path (and a range) themselves. */
  readonly path?: FieldNames;
  readonly range?: RangeFields;
  readonly content?: FieldNames;
  /** Hold the numbers of the lines that an edit changes. */
  readonly lines?: FieldNames;
  /** Holds an `apply_patch` envelope or a unified diff. */
  readonly patch?: FieldNames;
  /** Holds a shell line, or its words as a list. */
  readonly command?: FieldNames;
  readonly directory?: FieldNames;
  readonly url?: FieldNames;
  readonly query?: FieldNames;
  /** Holds the whole todo list: items, texts, or a Markdown checklist. (The input of a partial call is the item.) */
  readonly todos?: FieldNames;
  /** The status that a partial todo call sets by its name alone. */
  readonly sets?: TodoStatus;
  /** More fields that stay when an input shrinks. */
  readonly identifying?: FieldNames;
  /** One tool, several kinds: `{ field: "command", kinds: { view: "read", create: "write" } }`. */
  readonly kindBy?: { readonly field: string; readonly kinds: Readonly<Record<string, ToolKind>> };
  /** The field that holds the real input. */
  readonly within?: string;
  /** The command is not a POSIX shell line: PowerShell, Python. */
  readonly foreign?: true;
  /** An input that is a plain text is JavaScript that calls tools: Codex's `exec`. */
  readonly script?: true;
  /** See `ToolUse.plan`. */
  readonly plan?: true;
  /** What the whole result is a picture of: `page`, `screen`. The identifying fields say which one. */
  readonly snapshot?: string;
  /** See `ToolUse.shows`. */
  readonly shows?: ResultContent;
  /** See `ToolUse.partial`. */
  readonly partial?: true;
  /** A call with this field is of a tool for which `ToolUse.loads` holds. */
  readonly loads?: FieldNames;
}
