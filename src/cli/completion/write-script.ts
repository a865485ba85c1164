import type { CompletedProgram } from "./list-commands.ts";
import { writeBash } from "./write-bash.ts";
import { writeFish } from "./write-fish.ts";
import { writeZsh } from "./write-zsh.ts";

export type Shell = "bash" | "zsh" | "fish";

const WRITERS: Readonly<Record<Shell, (program: CompletedProgram) => string>> = {
  bash: writeBash,
  zsh: writeZsh,
  fish: writeFish,
};

export function writeScript(shell: Shell, program: CompletedProgram): string {
  return WRITERS[shell](program);
}
