import { Command, CommanderError } from "commander";
import { VERSION } from "../basics/version.ts";
import { COMMANDS } from "./commands.ts";
import { Failure } from "./failure.ts";
import { formatExamples } from "./help.ts";
import type { Screen } from "./screen.ts";
import { spellOut } from "./spell-out.ts";

/**
 * Runs one command. The exit code is 0, 1 (not done, or not completely) or 2 (not understood); see
 * `process.exitCode`.
 */
export async function runCli(args: readonly string[], screen: Screen): Promise<void> {
  try {
    const program = await createProgram(args, screen);
    await program.parseAsync(spellOut(args), { from: "user" });
  } catch (error) {
    screen.status("");
    // commander has already printed the problem; help and version end with 0
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else if (error instanceof Failure) {
      process.exitCode = error.exitCode;
      screen.note(`${screen.paintNote.red("error:")} ${error.message}`);
    } else if (!isBrokenPipe(error)) {
      process.exitCode = 1;
      const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
      screen.note(`${screen.paintNote.red("error:")} this is a bug in Coppice, please report it: ${what}`);
    }
  }
}

/** The reader of our output has closed the pipe: `coppice diff a.jsonl | head`. */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EPIPE";
}

/** Has all commands, but the options and actions only of those that the arguments name. */
async function createProgram(args: readonly string[], screen: Screen): Promise<Command> {
  const program = new Command("coppice")
    .description("Keeps an agent's context small, correct and cheap; every cut can be undone.")
    .version(VERSION, "-v, --version")
    .configureOutput({
      writeOut: (text) => screen.print(text),
      writeErr: (text) => screen.note(text.trimEnd()),
    })
    .showHelpAfterError("(coppice --help, or coppice <command> --help, has examples)")
    .configureHelp({ subcommandTerm: (command) => `${command.name()} ${command.usage()}` })
    .exitOverride()
    .enablePositionalOptions()
    .addHelpText(
      "after",
      formatExamples([
        ["coppice analyze", "where did my tokens go?"],
        ["coppice context claude", "what is sent before my first word?"],
        ["coppice prune session.jsonl -o small.jsonl", "make a session small"],
        ["coppice wrap claude", "prune as you work"],
        ["coppice init", "set up the agents on this machine permanently"],
      ]),
    );
  // The completion lists the options of all commands.
  const isWanted = (name: string) => args.includes(name) || args.includes("completion");
  for (const { name, usage, description, load } of COMMANDS) {
    const command = program.command(name).usage(usage).description(description);
    if (isWanted(name)) (await load())(command, screen);
  }
  return program;
}
