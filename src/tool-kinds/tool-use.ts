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

/** One file that a call concerns. */
export interface FileTouch {
  /** Normalised: `./a.ts`, `a.ts` and `<cwd>/a.ts` are the same. A server's own file is `server://a.ts`. */
  readonly path: string;
  readonly operation: "read" | "write" | "edit" | "delete";
  readonly range?: LineRange;
}

/**
 * The contents of a result, if its kind does not define them: a list may be of files, a tree, or the state of a
 * repository; a shell line may only look something up.
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
  /** It is in a subshell, group, loop, condition or substitution. */
  readonly nested?: true;
  /** Its words or its directory depend on something outside the line: `$X`, `$(…)`, `cd -`. */
  readonly dynamic?: true;
  /** Its directory: the call's directory and the `cd`s before it; missing if unknown. */
  readonly directory?: string;
}

export type TodoStatus = "pending" | "in_progress" | "completed" | "cancelled";

/** One task, as far as a call names it. */
export interface TodoItem {
  readonly id?: string;
  readonly text?: string;
  readonly status?: TodoStatus;
}

/** The meaning of a call of any agent's tool. */
export interface ToolUse {
  readonly kind: ToolKind;
  /** Lower case, without MCP prefix. */
  readonly name: string;
  /** The server of the tool; missing: the host's own, or ours. Tools of two servers are never the same tool. */
  readonly server?: string;
  /** A call may touch several files: its result is out of date only when all of them are. */
  readonly files: readonly FileTouch[];
  /** kind shell: the whole line, unchanged, and its simple commands; empty if it could not be parsed. */
  readonly command?: string;
  readonly commands?: readonly CommandWords[];
  /**
   * kind shell: set if the line has a `cd`; a persistent shell starts its next line there. No directory: unknown.
   */
  readonly endsIn?: { readonly directory?: string };
  /**
   * The start directory of a shell line, a list or a search: the one that the call names, or else the `directory`
   * option.
   */
  readonly directory?: string;
  readonly url?: string;
  /** Search pattern or web search query. */
  readonly query?: string;
  /** kind list: the other operands, in canonical form. */
  readonly operands?: string;
  /** kind write: the file's new text, the same string as in the input. */
  readonly content?: string;
  /** The call changes lines of a file by their numbers. */
  readonly byLine?: true;
  /** The contents of the result, if its kind does not define them. */
  readonly shows?: ResultContent;
  /** kinds todo and context: the call concerns one item and not the others. */
  readonly partial?: true;
  /**
   * kind read: the tool numbers every line of the file, and its host may add loaded instructions after the last
   * one.
   */
  readonly loads?: true;
  /** The call presents a plan: files that it names belong to the task. */
  readonly plan?: true;
  /** The subject of a snapshot: of two results with the same name here, only the newer one is current. */
  readonly snapshot?: string;
  /**
   * kind todo: the items that the call writes, the whole list or the one item of a partial call. Missing: it only
   * reads.
   */
  readonly todos?: readonly TodoItem[];
  /** Input fields that tell what the call is about (a path, a command, a url): they stay when an input shrinks. */
  readonly identifying: readonly string[];
}
