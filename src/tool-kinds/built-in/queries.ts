/** A command that queries the workspace. */
export interface QueryRule {
  /** Options that change the form of the answer, not its content. */
  readonly display?: readonly string[];
  /** If given: with any option except these and the display ones, it is not a query. */
  readonly only?: readonly string[];
  /**
   * `verbatim`: order and dashes matter, so words are compared unchanged. `none`: with operands, it is not a query.
   */
  readonly operands?: "paths" | "none" | "verbatim" | readonly string[];
}

const COLOR = ["color", "no-color"];

export const queries: ReadonlyMap<string, QueryRule> = new Map<string, QueryRule>([
  [
    "ls",
    {
      operands: "paths",
      display: [
        ..."laAh1FptrSGgonisCkmUvxX",
        ...COLOR,
        "all",
        "almost-all",
        "classify",
        "file-type",
        "format",
        "full-time",
        "group-directories-first",
        "human-readable",
        "reverse",
        "sort",
        "time-style",
      ],
    },
  ],
  ["tree", { operands: "paths", display: [..."CnAhspDF", "noreport", "dirsfirst"] }],
  ["find", { operands: "verbatim" }],
  ["pwd", { operands: "none", display: [..."LP"] }],
  ["ps", { operands: "verbatim" }],
  ["df", { display: [..."hHkmPT", "human-readable", "si", "portability", "print-type"] }],
  ["env", { operands: "none", only: [] }],
  ["which", {}],
  ["git status", { display: [..."sbvz", "short", "branch", "long", "porcelain", "verbose", ...COLOR] }],
  [
    "git branch",
    {
      operands: "none",
      display: ["v", "verbose", "list", "column", ...COLOR],
      only: ["a", "all", "r", "remotes", "show-current"],
    },
  ],
  [
    "git log",
    {
      display: [
        "oneline",
        "graph",
        "decorate",
        "no-decorate",
        "abbrev-commit",
        "pretty",
        "format",
        "date",
        ...COLOR,
      ],
    },
  ],
  ["git diff", { display: [...COLOR, "no-ext-diff"] }],
  ["git stash", { operands: ["list"] }],
]);

/** Programs that may follow a query in a pipe: they show less of the answer, or show it in another way. */
export const filters: ReadonlySet<string> = new Set(
  "cat head tail grep egrep fgrep rg sort uniq wc cut tr nl sed column less more".split(" "),
);

/** These neither query the workspace nor change it. The directory that `cd` sets is recorded on each command. */
export const silent: ReadonlySet<string> = new Set(["cd", "echo", "printf", "true", ":"]);
