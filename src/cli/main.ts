#!/usr/bin/env node
import { explainWriting } from "../stores/write-together.ts";
import { isBrokenPipe, runCli } from "./run-cli.ts";
import { createScreen } from "./screen.ts";

process.stdout.on("error", (error) => {
  if (isBrokenPipe(error)) process.exit();
  process.stderr.write(`error: standard output can't be written: ${explainWriting(error)}\n`);
  process.exit(1);
});
process.stderr.on("error", (error) => {
  if (isBrokenPipe(error)) process.exit();
  // A log on a full disk must not stop the work.
});

await runCli(process.argv.slice(2), createScreen());
