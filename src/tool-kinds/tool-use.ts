export type ToolKind =
  | "read"
  | "write"
  | "edit"
  | "delete"
  | "list"
  | "search"
  | "shell"
  | "fetch"
  | "web-search"
  | "todo"
  | "task"
  | "skill"
  | "context"
  | "other";

/**
 * Lines, 1-based, both included; `to` missing: to the end. A missing range is the whole file.
 * A negative `from` counts from the end (`-20`: the last twenty lines); compare ranges with `coversRange`.
 */
export interface LineRange {
  readonly from: number;
  readonly to?: number;
}

/** One file that a call is about. */
export interface FileTouch {
  /** Normalised: `./a.ts`, `a.ts` and `<cwd>/a.ts` are one. A server's own file is `server://a.ts`. */
  readonly path: string;
  readonly operation: "read" | "write" | "edit" | "delete";
  readonly range?: LineRange;
}

/**
 * What a result shows, where its kind alone does not say: a list may be of files, a tree, the state of a repository;
 * a shell line may only look something up.
 */
export type ResultContent =
  | "file"
  | "files"
  | "tree"
  | "repo-map"
  | "structure"
  | "matches"
  | "git-status"
  | "git-diff"
  | "git-log";

/** What stands between a command and the one before it; a line break is `;`. */
export type Joint = "|" | "&&" | "||" | ";" | "&";

/** One simple command of a shell line. */
export interface CommandWords {
  /** Quotes and escapes resolved: `["git", "status", "-s"]`. */
  readonly words: readonly string[];
  /** Has an output redirection (other than to /dev/null or between descriptors) or is known to write. */
  readonly writes: boolean;
  /** Missing on the first one. */
  readonly joint?: Joint;
  /** Stands in a subshell, group, loop, condition or substitution. */
  readonly nested?: true;
  /** Its words or the directory it runs in depend on what is not in the line: `$X`, `$(…)`, `cd -`. */
  readonly dynamic?: true;
  /** Where it runs: the call's directory and the `cd`s before it; missing where neither says. */
  readonly directory?: string;
}

export type TodoStatus = "pending" | "in_progress" | "completed" | "cancelled";

/** One task, as far as a call names it. */
export interface TodoItem {
  readonly id?: string;
  readonly text?: string;
  readonly status?: TodoStatus;
}

/** What a call means, whoever's tool it is. */
export interface ToolUse {
  readonly kind: ToolKind;
  /** Lower case, without MCP prefix. */
  readonly name: string;
  /** Whose tool it is; missing: the host's own, or ours. Tools of two servers are two tools, whatever they are called. */
  readonly server?: string;
  /** A call may touch several files: its result is out of date only when all of them are. */
  readonly files: readonly FileTouch[];
  /** kind shell: the whole line as it was given, and its simple commands; empty where it could not be parsed. */
  readonly command?: string;
  readonly commands?: readonly CommandWords[];
  /** kind shell: the line has a `cd` of its own; a shell that lives on starts its next line there. No directory: not known. */
  readonly endsIn?: { readonly directory?: string };
  /** Where a shell line starts, or where a list or search looks: as the call names it, else the consumer's own. */
  readonly directory?: string;
  readonly url?: string;
  /** Search pattern or web search query. */
  readonly query?: string;
  /** kind list: what else was asked, in canonical form. */
  readonly operands?: string;
  /** kind write: the file's new text, the host's own string. */
  readonly content?: string;
  /** What the result shows, where that is not what results of its kind usually show. */
  readonly shows?: ResultContent;
  /** kinds todo and context: is about one item and tells nothing of the others. */
  readonly partial?: true;
  /**
   * kind read: a tool that numbers every line of a file, and behind the lines of which its host puts instructions that it
   * has loaded.
   */
  readonly loads?: true;
  /** The result is nothing but a picture of this as it was: of two with the same name the newer one counts. */
  readonly snapshot?: string;
  /** kind todo: what the call writes: the whole list, or the one item that a partial call is about. Missing: it only reads. */
  readonly todos?: readonly TodoItem[];
  /** Input fields that say what the call is about (a path, a command, a url): they stay when an input shrinks. */
  readonly identifying: readonly string[];
}
