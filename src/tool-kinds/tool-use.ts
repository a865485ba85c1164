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
 * Lines, 1-based, both ends included; without `to`: to the end. A missing range is the whole file.
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

/** The operator between a command and the one before it; a line break is `;`. */
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
  /** Its words or its directory depend on something outside the line: `$X`, `$(…)`, `cd -`. */
  readonly dynamic?: true;
  /** Where it runs: the call's directory and the `cd`s before it; missing where that is not known. */
  readonly directory?: string;
}

export type TodoStatus = "pending" | "in_progress" | "completed" | "cancelled";

/** One task, as far as a call names it. */
export interface TodoItem {
  readonly id?: string;
  readonly text?: string;
  readonly status?: TodoStatus;
}

/** What a call means, of any agent's tool. */
export interface ToolUse {
  readonly kind: ToolKind;
  /** Lower case, without MCP prefix. */
  readonly name: string;
  /** Whose tool it is; missing: the host's own, or ours. Tools of two servers are never the same tool. */
  readonly server?: string;
  /** A call may touch several files: its result is out of date only when all of them are. */
  readonly files: readonly FileTouch[];
  /** kind shell: the whole line as it was given, and its simple commands; none where it could not be parsed. */
  readonly command?: string;
  readonly commands?: readonly CommandWords[];
  /** kind shell: set if the line has a `cd`; a persistent shell starts its next line there. No directory: not known. */
  readonly endsIn?: { readonly directory?: string };
  /** Where a shell line starts, or a list or search looks: what the call names, else the `directory` option. */
  readonly directory?: string;
  readonly url?: string;
  /** Search pattern or web search query. */
  readonly query?: string;
  /** kind list: what else was asked, in canonical form. */
  readonly operands?: string;
  /** kind write: the file's new text, the same string as in the input. */
  readonly content?: string;
  /** The call changes lines of a file that it names by their numbers. */
  readonly byLine?: true;
  /** What the result shows, where its kind does not say. */
  readonly shows?: ResultContent;
  /** kinds todo and context: the call is about one item and says nothing of the others. */
  readonly partial?: true;
  /**
   * kind read: the tool numbers every line of the file, and behind the last one its host may add instructions that it
   * has loaded.
   */
  readonly loads?: true;
  /** The call presents a plan: what it names belongs to the task. */
  readonly plan?: true;
  /** What the result is a picture of: of two results with the same name here only the newer one counts. */
  readonly snapshot?: string;
  /** kind todo: what the call writes, the whole list or the one item of a partial call. Missing: it only reads. */
  readonly todos?: readonly TodoItem[];
  /** Input fields that say what the call is about (a path, a command, a url): they stay when an input shrinks. */
  readonly identifying: readonly string[];
}
