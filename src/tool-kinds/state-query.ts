import { filters, type QueryRule, queries, silent } from "./built-in/queries.ts";
import { normalizePath } from "./paths.ts";
import { findGitAction } from "./shell/git.ts";
import { parseOptions, type ShellOption } from "./shell/parse-options.ts";
import type { CommandWords, ToolUse } from "./tool-use.ts";

/**
 * The question that a call asks about the workspace, in canonical form: calls with the same question differ only in
 * time. `undefined` for a call that asks none, or also does something else.
 *
 *   `git status`, `git status -s`, `cd . && git --no-pager status`   one question
 *   `ls /a`, `ls /b`                                                  two
 *   `git diff`, `git diff --cached`, `git diff | head -20`            three
 *   `git status && npm test`, `ls > files.txt`                        none
 */
export function stateQuestion(use: ToolUse): string | undefined {
  if (use.kind === "list") return JSON.stringify([use.name, use.directory ?? ".", use.query, use.operands]);
  if (use.kind !== "shell" || !use.commands?.length) return undefined;
  const questions: unknown[] = [];
  let asks = false;
  for (const command of use.commands) {
    const [program = ""] = command.words;
    if (command.writes || command.nested || command.dynamic || command.joint === "&") return undefined;
    if (command.joint === "|") {
      if (!isFilter(command)) return undefined;
      // Agents write `| cat` with the same meaning as `--no-pager`.
      if (program !== "cat" || command.words.length > 1) questions.push("|", command.words);
    } else if (!silent.has(program)) {
      const question = readQuery(command);
      if (!question) return undefined;
      questions.push(question);
      asks = true;
    }
  }
  return asks ? JSON.stringify(questions) : undefined;
}

function isFilter({ words }: CommandWords): boolean {
  const [program = ""] = words;
  return filters.has(program) && !(program === "sort" && words.some((word) => /^-o|^--output/.test(word)));
}

function readQuery({ words, directory = "." }: CommandWords): readonly string[] | undefined {
  const [program = ""] = words;
  const git = program === "git" ? findGitAction(words) : undefined;
  const name = git ? `git ${git.action}` : program;
  const rule = queries.get(name);
  if (!rule) return undefined;
  const place = git?.directory === undefined ? directory : normalizePath(git.directory, directory);
  const query = takeApart(words.slice(git?.argsFrom ?? 1), rule);
  if (!query) return undefined;
  if (rule.operands !== "paths") return [place, name, ...query.options, ...query.operands];
  const paths = query.operands.map((path) => normalizePath(path, place));
  return [name, ...query.options, ...(paths.length === 0 ? [normalizePath(place)] : paths)];
}

interface QueryMatch {
  /** Without the display options, sorted. */
  readonly options: readonly string[];
  readonly operands: readonly string[];
}

function takeApart(words: readonly string[], rule: QueryRule): QueryMatch | undefined {
  if (rule.operands === "verbatim") return { options: [], operands: words };
  const parsed = parseOptions(words.map((text) => ({ text, form: "literal" })));
  const operands = parsed.operands.map(({ text }) => text);
  const options = parsed.options.filter((option) => !isDisplay(option, rule));
  if (options.some(({ name }) => name === "output" || rule.only?.includes(name) === false)) return undefined;
  if (rule.operands === "none" && operands.length > 0) return undefined;
  if (Array.isArray(rule.operands) && operands.join(" ") !== rule.operands.join(" ")) return undefined;
  return { options: options.map(spellOption).sort(), operands };
}

/** In `ls -1` the number is an option; in `git log -5` it is a number. */
function isDisplay({ name, value }: ShellOption, { display = [] }: QueryRule): boolean {
  return display.includes(name === "#" ? (value ?? "") : name);
}

function spellOption({ name, value }: ShellOption): string {
  if (name === "#") return `-${value}`;
  const spelled = name.length === 1 ? `-${name}` : `--${name}`;
  return value === undefined ? spelled : `${spelled}=${value}`;
}
