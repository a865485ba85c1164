import { trimEndOf } from "../../basics/trim-end.ts";
import { findPatchedFiles } from "../patch.ts";
import { isAbsolute, normalizePath } from "../paths.ts";
import type { FileTouch } from "../tool-use.ts";
import { findGitAction } from "./git.ts";
import type { LocatedCommand } from "./locate.ts";
import { parseOptions } from "./parse-options.ts";
import { programOf, type ShellCommand, type ShellWord } from "./shell-command.ts";

type Change = readonly [operation: FileTouch["operation"], target: ShellWord];

/**
 * The files that a line clearly changes: by redirection, by a program whose operands are files, by a patch in a
 * heredoc. Commands that run only sometimes (nested, after `||`) and values outside the line are ignored.
 *
 *   cat > a.ts <<EOF    ->  write a.ts        sed -i s/a/b/ a.ts   ->  edit a.ts
 *   mv a.ts b.ts        ->  delete a.ts, write b.ts
 */
export function findChanges(commands: readonly LocatedCommand[]): readonly FileTouch[] {
  return commands.flatMap((command) => {
    if (command.nested || command.joint === "||") return [];
    const changes = [...redirected(command), ...changedBy(command)];
    const named = changes.flatMap(([operation, { text, form }]): FileTouch[] =>
      form === "literal" && text !== "" ? [{ operation, path: text }] : [],
    );
    return [...named, ...findPatchedFiles(patchOf(command))].flatMap((touch) => placed(touch, command));
  });
}

function placed(touch: FileTouch, { directory, lost }: LocatedCommand): readonly FileTouch[] {
  return lost && !isAbsolute(touch.path) ? [] : [{ ...touch, path: normalizePath(touch.path, directory) }];
}

function redirected({ outputs }: LocatedCommand): readonly Change[] {
  return outputs.map(({ target, appends }): Change => [appends ? "edit" : "write", target]);
}

function changedBy(command: LocatedCommand): readonly Change[] {
  const program = programOf(command);
  if (program !== "git") return fileChangers.get(program)?.(command.words.slice(1)) ?? [];
  const git = findGitAction(command.words.map(({ text }) => text));
  if (!git || git.directory !== undefined) return [];
  const args = command.words.slice(git.argsFrom);
  if (git.action === "mv") return moved(args);
  if (git.action === "rm") return removed(args);
  if (git.action === "restore") return restored(args);
  const paths = args.findIndex(({ text }) => text === "--");
  return git.action === "checkout" && paths >= 0 ? edited(args.slice(paths + 1)) : [];
}

const fileChangers: ReadonlyMap<string, (args: readonly ShellWord[]) => readonly Change[]> = new Map([
  ["rm", removed],
  ["unlink", removed],
  ["mv", moved],
  ["cp", copied],
  ["tee", teed],
  ["truncate", truncated],
  ["sed", (args) => editedInPlace(args, SED_SCRIPTS)],
  ["perl", (args) => editedInPlace(args, ["e", "E"])],
]);

function removed(args: readonly ShellWord[]): readonly Change[] {
  return parseOptions(args).operands.map((target): Change => ["delete", target]);
}

function edited(targets: readonly ShellWord[]): readonly Change[] {
  return targets.map((target): Change => ["edit", target]);
}

/** With `--staged` alone, git restores its index and leaves the files alone. */
function restored(args: readonly ShellWord[]): readonly Change[] {
  const { options, operands } = parseOptions(args, { withValue: ["s", "source"] });
  const has = (...names: readonly string[]) => options.some(({ name }) => names.includes(name));
  return has("S", "staged") && !has("W", "worktree") ? [] : edited(operands);
}

function moved(args: readonly ShellWord[]): readonly Change[] {
  const copies = copied(args);
  const sources = copies.length === 0 ? [] : parseOptions(args).operands.slice(0, -1);
  return [...sources.map((source): Change => ["delete", source]), ...copies];
}

/**
 * The files that `cp` writes. If the target must be a folder (`dir/`, or several sources), they keep their names.
 */
function copied(args: readonly ShellWord[]): readonly Change[] {
  const { options, operands } = parseOptions(args);
  const target = operands.at(-1);
  const sources = operands.slice(0, -1);
  if (!target || options.some(({ name }) => ["t", "target-directory", "n", "no-clobber"].includes(name)))
    return [];
  if (sources.length === 1 && !target.text.endsWith("/")) return [["write", target]];
  return sources.map(({ text, form }): Change => {
    const name = trimEndOf(text, "/");
    const path = `${target.text}/${name.slice(name.lastIndexOf("/") + 1)}`;
    return ["write", { text: path, form: form === "literal" ? target.form : form }];
  });
}

function teed(args: readonly ShellWord[]): readonly Change[] {
  const { options, operands } = parseOptions(args);
  const appends = options.some(({ name }) => name === "a" || name === "append");
  return operands
    .filter(({ text }) => !text.startsWith("/dev/"))
    .map((target): Change => [appends ? "edit" : "write", target]);
}

function truncated(args: readonly ShellWord[]): readonly Change[] {
  return edited(parseOptions(args, { withValue: ["s", "size", "r", "reference"] }).operands);
}

/** Does it change lines by their numbers? `sed -i '12,14d' a.ts`, `sed -i -e 5s/a/b/ a.ts`. */
export function changesByLine(command: LocatedCommand): boolean {
  if (programOf(command) !== "sed") return false;
  const { scripts = [] } = parseInPlace(command.words.slice(1), SED_SCRIPTS) ?? {};
  return scripts.some((script) => /^\s*\d/.test(script));
}

export const SED_SCRIPTS: readonly string[] = ["e", "expression", "f", "file"];

function editedInPlace(args: readonly ShellWord[], scriptOptions: readonly string[]): readonly Change[] {
  return edited(parseInPlace(args, scriptOptions)?.files ?? []);
}

interface InPlace {
  readonly scripts: readonly string[];
  readonly files: readonly ShellWord[];
  /** Are the scripts' expressions extended ones? */
  readonly isExtended: boolean;
}

/** `sed -i 's/a/b/' a.ts`, BSD's `sed -i '' …`, `perl -pi -e '…' a.ts`: the first operand may be the script. */
export function parseInPlace(
  args: readonly ShellWord[],
  scriptOptions: readonly string[],
): InPlace | undefined {
  const { options, operands } = parseOptions(args, { withValue: scriptOptions, withRest: ["i"] });
  if (!options.some(({ name }) => name === "i" || name === "in-place")) return undefined;
  const isExtended = options.some(({ name }) => EXTENDED.has(name));
  const scripts = options.flatMap(({ name, value = "" }) => (scriptOptions.includes(name) ? [value] : []));
  const files = operands.filter(({ text }) => text !== "");
  if (scripts.length > 0) return { scripts, files, isExtended };
  return { scripts: files.slice(0, 1).map(({ text }) => text), files: files.slice(1), isExtended };
}

const EXTENDED: ReadonlySet<string> = new Set(["E", "r", "regexp-extended"]);

/** The patch that a command is given in the line itself. */
export function patchOf(command: ShellCommand): string {
  const [, action] = command.words;
  const program = programOf(command);
  if (program === "apply_patch" || program === "applypatch") return command.heredoc ?? action?.text ?? "";
  const applies = program === "patch" || (program === "git" && action?.text === "apply");
  return applies ? (command.heredoc ?? "") : "";
}
