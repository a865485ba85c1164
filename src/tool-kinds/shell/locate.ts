import { isAbsolute, normalizePath } from "../paths.ts";
import { programOf, type ShellCommand, type ShellWord } from "./shell-command.ts";

/** A command and its directory. `lost`: the directory depends on something outside the line. */
export interface LocatedCommand extends ShellCommand {
  readonly directory?: string;
  readonly lost: boolean;
}

export interface LocatedLine {
  readonly commands: readonly LocatedCommand[];
  readonly endsIn?: { readonly directory?: string };
}

/** In characters. Hardly any system allows longer paths. */
const LONGEST_PATH = 1_024;

/** Follows the `cd`s of a line. Nested commands have their own directory, which is not followed. */
export function locate(commands: readonly ShellCommand[], start: string | undefined): LocatedLine {
  let directory = start;
  let lost = false;
  let moved = false;
  const located = commands.map((command, i): LocatedCommand => {
    const place = { ...(directory === undefined ? {} : { directory }), lost: lost || command.nested };
    if (isMove(command) && !command.nested && command.joint !== "|" && commands[i + 1]?.joint !== "|") {
      const target = command.joint === "||" ? undefined : findTarget(command);
      moved = true;
      lost = target === undefined || (lost && !isAbsolute(target));
      directory = target === undefined ? undefined : normalizePath(target, directory);
      if (directory !== undefined && directory.length > LONGEST_PATH) {
        lost = true;
        directory = undefined;
      }
    }
    return { ...command, ...place };
  });
  if (!moved) return { commands: located };
  return { commands: located, endsIn: lost || directory === undefined ? {} : { directory } };
}

export function isMove(command: ShellCommand): boolean {
  return /^(?:cd|pushd|popd)$/.test(programOf(command));
}

function findTarget(command: ShellCommand): string | undefined {
  const [name, target = HOME, ...others] = command.words.filter(({ text }) => text !== "--");
  if (name?.text !== "cd" || others.length > 0 || target.form !== "literal") return undefined;
  return target.text === "" || target.text.startsWith("-") ? undefined : target.text;
}

const HOME: ShellWord = { text: "~", form: "literal" };
