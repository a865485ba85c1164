#!/usr/bin/env node
import { isBrokenPipe, runCli } from "./run-cli.ts";
import { createScreen } from "./screen.ts";

for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error) => {
    if (isBrokenPipe(error)) process.exit();
    throw error;
  });
}

await runCli(process.argv.slice(2), createScreen());
