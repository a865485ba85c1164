import {
  type Command,
  forEachChild,
  parse,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type Word,
  type WordPart,
} from "unbash";
import type { Joint } from "../tool-use.ts";
import { isTangled } from "./is-tangled.ts";
import { programOf, type ShellCommand, type ShellWord } from "./shell-command.ts";

/**
 * The simple commands of a line, in order; nested ones follow the command that contains them. Empty if the line is
 * invalid or would take too long to parse.
 */
export function parseLine(line: string): readonly ShellCommand[] {
  const commands = collect(line);
  const script = innerScript(commands);
  return script === undefined ? commands : parseLine(script);
}

/** A line for a command that is a list of words. `["bash", "-lc", "git status"]` becomes `git status`. */
export function toLine(words: readonly string[]): string {
  const [shell = "", flag = "", script] = words;
  if (words.length === 3 && isScriptCall(shell, flag) && script !== undefined) return script;
  return words
    .map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");
}

/** The script of a line that is only `bash -c '…'`. */
function innerScript(commands: readonly ShellCommand[]): string | undefined {
  const [command, ...others] = commands;
  if (!command || others.length > 0 || command.outputs.length > 0) return undefined;
  const [, flag, script] = command.words;
  return script?.form === "literal" && isScriptCall(programOf(command), flag?.text ?? "")
    ? script.text
    : undefined;
}

function isScriptCall(shell: string, flag: string): boolean {
  return /^(?:.*\/)?(?:ba|z|da)?sh$/.test(shell) && /^-[a-z]*c$/.test(flag);
}

function collect(line: string): readonly ShellCommand[] {
  const found: ShellCommand[] = [];
  if (isTangled(line)) return found;
  try {
    const script = parse(line);
    if (script.errors?.length) return [];
    visitStatements(script.commands, found);
  } catch {
    return [];
  }
  return found;
}

function visitStatements(statements: readonly Statement[], found: ShellCommand[]): void {
  let joint: Joint | undefined;
  for (const { command, background } of statements) {
    if (command.type === "AndOr") {
      command.commands.forEach((part, i) => {
        visitPipeline(part, i === 0 ? joint : command.operators[i - 1], found);
      });
    } else visitPipeline(command, joint, found);
    joint = background ? "&" : ";";
  }
}

function visitPipeline(node: SyntaxNode, joint: Joint | undefined, found: ShellCommand[]): void {
  const commands = node.type === "Pipeline" ? node.commands : [node];
  commands.forEach((command, i) => {
    visitCommand(command, i === 0 ? joint : "|", found);
  });
}

function visitCommand(node: SyntaxNode, joint: Joint | undefined, found: ShellCommand[]): void {
  if (node.type === "Command") {
    const command = readCommand(node, joint, false, false);
    found.push(command);
    const plain = node.prefix.length === 0 && command.words.every(({ form }) => form === "literal");
    if (!plain) visitNested(node, false, found);
  } else if (node.type === "Redirected")
    visitNested(node.command, findOutputs(node.redirects).length > 0, found);
  else visitNested(node, false, found);
}

/** Visits everything that runs inside a node, at any depth. */
function visitNested(node: SyntaxNode, redirected: boolean, found: ShellCommand[]): void {
  forEachChild(node, (child) => {
    if (child.type === "Command") found.push(readCommand(child, ";", true, redirected));
    visitNested(child, redirected, found);
  });
}

function readCommand(
  node: Command,
  joint: Joint | undefined,
  nested: boolean,
  redirected: boolean,
): ShellCommand {
  const words = node.args.map((arg) => (arg.type === "Word" ? readWord(arg) : literal(arg.text)));
  const heredoc = node.redirects.find((redirect) => redirect.type === "HereDoc");
  return {
    words: node.name ? [readWord(node.name), ...words] : words,
    ...(joint === undefined ? {} : { joint }),
    nested,
    outputs: findOutputs(node.redirects),
    takesInput: node.redirects.some(({ operator }) => operator.startsWith("<")),
    ...(heredoc === undefined ? {} : { heredoc: heredoc.body.text }),
    changesState: redirected || node.name === undefined,
  };
}

function findOutputs(redirects: readonly Redirection[]): ShellCommand["outputs"] {
  return redirects.flatMap((redirect) => {
    if (redirect.type !== "Redirect" || !redirect.target || !redirect.operator.includes(">")) return [];
    const target = readWord(redirect.target);
    if (redirect.operator === ">&" && /^(?:\d+|-)$/.test(target.text)) return [];
    return NO_FILE.test(target.text) ? [] : [{ target, appends: redirect.operator.endsWith(">>") }];
  });
}

const NO_FILE = /^\/dev\/(?:null|std(?:out|err)|tty|fd\/\d+)$/;

function readWord(word: Word): ShellWord {
  return { text: word.value, form: formOf(word.parts ?? []) };
}

function literal(text: string): ShellWord {
  return { text, form: "literal" };
}

function formOf(parts: readonly WordPart[]): ShellWord["form"] {
  let form: ShellWord["form"] = "literal";
  for (const part of parts) {
    if (part.type === "DoubleQuoted" || part.type === "LocaleString") {
      if (part.parts.some((child) => child.type !== "Literal")) return "dynamic";
    } else if (PATTERNS.has(part.type)) {
      // Most shells leave `[slug]` alone if it matches nothing, and routers use it as a folder's name.
      if (!(part.type === "Glob" && part.kind === "bracket")) form = "pattern";
    } else if (!LITERALS.has(part.type)) return "dynamic";
  }
  return form;
}

const LITERALS: ReadonlySet<string> = new Set(["Literal", "SingleQuoted", "AnsiCQuoted"]);
const PATTERNS: ReadonlySet<string> = new Set(["Glob", "ExtendedGlob", "BraceExpansion"]);
