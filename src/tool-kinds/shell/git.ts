/** `git -C lib --no-pager diff --stat` is `diff` with `--stat`, in `lib`. */
export interface GitAction {
  readonly action: string;
  /** Index of the first word after the action. */
  readonly argsFrom: number;
  /** The argument of `-C`, unchanged. */
  readonly directory?: string;
}

/** Skips git's own options, which come before the action. `undefined` for a bare `git`. */
export function findGitAction(words: readonly string[]): GitAction | undefined {
  let directory: string | undefined;
  for (let i = 1; i < words.length; i++) {
    const word = words[i] ?? "";
    if (word === "-C") directory = directory === undefined ? words[++i] : `${directory}/${words[++i]}`;
    else if (word === "-c" || word === "--git-dir" || word === "--work-tree") i++;
    else if (!word.startsWith("-")) {
      return { action: word, argsFrom: i + 1, ...(directory === undefined ? {} : { directory }) };
    }
  }
  return undefined;
}
