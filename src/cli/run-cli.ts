import { Command, CommanderError } from "commander";
import { VERSION } from "../basics/version.ts";
import { addAnalyze } from "./analyze.ts";
import { addConfig } from "./config.ts";
import { addContext } from "./context/context.ts";
import { addDiff } from "./diff.ts";
import { addDoctor } from "./doctor.ts";
import { addExplain } from "./explain.ts";
import { Failure } from "./failure.ts";
import { formatExamples } from "./help.ts";
import { addInit } from "./init.ts";
import { addProxy } from "./proxy.ts";
import { addPrune, spellOut } from "./prune.ts";
import { addRemove } from "./remove.ts";
import { addReplay } from "./replay.ts";
import { addReport } from "./report.ts";
import { addRestore } from "./restore.ts";
import type { Screen } from "./screen.ts";
import { addStatus } from "./status.ts";
import { addWrap } from "./wrap.ts";

/** Runs one command. The exit code is 0, 1 (not done, or not in full) or 2 (not understood); see `process.exitCode`. */
export async function runCli(args: readonly string[], screen: Screen): Promise<void> {
  try {
    await createProgram(screen).parseAsync(spellOut(args), { from: "user" });
  } catch (error) {
    screen.status("");
    // commander has already printed what is wrong; help and version end with 0
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

function createProgram(screen: Screen): Command {
  const program = new Command("coppice")
    .description("Keeps an agent's context small, correct and cheap; every cut can be undone.")
    .version(VERSION, "-v, --version")
    .configureOutput({
      writeOut: (text) => screen.print(text),
      writeErr: (text) => screen.note(text.trimEnd()),
    })
    .showHelpAfterError("(coppice --help, or coppice <command> --help, has examples)")
    .exitOverride()
    .enablePositionalOptions()
    .addHelpText(
      "after",
      formatExamples([
        ["coppice analyze", "where did my tokens go?"],
        ["coppice context claude", "what is sent before my first word?"],
        ["coppice prune session.jsonl -o small.jsonl", "make a session small"],
        ["coppice wrap claude", "prune as you work"],
        ["coppice init", "set up for good the agents that are here"],
      ]),
    );
  addAnalyze(program, screen);
  addContext(program, screen);
  addPrune(program, screen);
  addRestore(program, screen);
  addExplain(program, screen);
  addDiff(program, screen);
  addReplay(program, screen);
  addReport(program, screen);
  addWrap(program, screen);
  addProxy(program, screen);
  addStatus(program, screen);
  addConfig(program, screen);
  addDoctor(program, screen);
  addInit(program, screen);
  addRemove(program, screen);
  return program;
}
