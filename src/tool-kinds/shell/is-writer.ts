import { findGitAction } from "./git.ts";
import { programOf, type ShellCommand } from "./shell-command.ts";

/** Is a command known to change something? Test runners and scripts may change things too, but are not known to. */
export function isWriter(command: ShellCommand): boolean {
  if (command.changesState || command.outputs.length > 0) return true;
  const words = command.words.map(({ text }) => text);
  const program = programOf(command);
  if (program === "git") return isGitWriter(words);
  if (program === "find") return words.some((word) => FIND_ACTIONS.test(word));
  if (program === "sed" || program === "perl")
    return words.some((word) => /^-[a-zA-Z]*i|^--in-place/.test(word));
  return WRITERS.has(program);
}

function isGitWriter(words: readonly string[]): boolean {
  const git = findGitAction(words);
  if (!git) return false;
  const [next] = words.slice(git.argsFrom);
  if (git.action === "stash") return next !== "list" && next !== "show";
  return GIT_WRITERS.has(git.action);
}

const FIND_ACTIONS = /^-(?:delete|exec|execdir|ok|okdir|fprint.*|fls)$/;

const WRITERS: ReadonlySet<string> = new Set(
  (
    "rm rmdir unlink mv cp tee touch mkdir ln chmod chown truncate dd install rsync patch apply_patch applypatch " +
    "export unset source eval"
  ).split(" "),
);

const GIT_WRITERS: ReadonlySet<string> = new Set(
  (
    "add am apply bisect checkout cherry-pick clean clone commit fetch init merge mv pull push rebase reset restore " +
    "revert rm switch worktree"
  ).split(" "),
);
