import { parseInPlace, patchOf, SED_SCRIPTS } from "./find-changes.ts";
import { parseLine } from "./parse-line.ts";
import { readScript } from "./read-script.ts";
import { listSedTexts } from "./sed-patterns.ts";
import { programOf, type ShellCommand } from "./shell-command.ts";

/** The text that a shell line changes, as far as the line shows it. */
export interface ShellEdits {
  /** Texts that the line replaces, or searches to find the place. */
  readonly replaced: readonly string[];
  readonly patches: readonly string[];
  /** New texts of whole files. */
  readonly written: readonly string[];
}

/**
 * Finds the changes of files that a line shows. Does not read scripts in other languages.
 *
 *   sed -i 's/const total = 1;/x/' a.ts     ->  replaced: const total = 1;
 *   git apply <<'EOF' …                     ->  patches: …
 *   cat > a.ts <<'EOF' …                    ->  written: …
 */
export function findEdits(line: string): ShellEdits {
  const steps = readScript(line);
  const lines = steps ? steps.flatMap((step) => (step.kind === "command" ? [step.line] : [])) : [line];
  const commands = lines.flatMap(parseLine);
  const patches = (steps ?? []).flatMap((step) => (step.kind === "patch" ? [step.patch] : []));
  return {
    replaced: commands.flatMap(listReplaced),
    patches: [...patches, ...commands.map(patchOf).filter((patch) => patch !== "")],
    written: commands.flatMap(({ heredoc, outputs, words }) => {
      const writes = outputs.some(({ appends }) => !appends) || words[0]?.text === "tee";
      return heredoc !== undefined && writes ? [heredoc] : [];
    }),
  };
}

function listReplaced(command: ShellCommand): readonly string[] {
  const sed = programOf(command) === "sed" ? parseInPlace(command.words.slice(1), SED_SCRIPTS) : undefined;
  return sed?.scripts.flatMap((script) => listSedTexts(script, sed.isExtended)) ?? [];
}
