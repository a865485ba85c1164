import { explainWriting } from "../stores/write-together.ts";
import { isBrokenPipe, runCli } from "./run-cli.ts";
import { createScreen } from "./screen.ts";

/** Runs the command that this process was started with. */
export async function startCli(): Promise<void> {
  process.stdout.on("error", (error) => {
    if (isBrokenPipe(error)) process.exit();
    process.stderr.write(`error: standard output can't be written: ${explainWriting(error)}\n`);
    process.exit(1);
  });
  process.stderr.on("error", (error) => {
    if (isBrokenPipe(error)) process.exit();
    // A log on a full disk does not end the work.
  });
  await runCli(process.argv.slice(2), createScreen());
}
