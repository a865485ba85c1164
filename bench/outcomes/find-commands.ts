import { createToolKinds } from "../../src/tool-kinds/tool-kinds.ts";
import type { Part } from "../../src/transcript/part.ts";

/** What an answer runs: the inputs of its calls, or, where an agent writes its commands into its text, the fenced blocks. */
export function findCommands(answer: readonly Part[]): readonly string[] {
  const calls = answer.filter(({ kind }) => kind === "call");
  if (calls.length > 0) return calls.flatMap(({ leaves }) => leaves.map(({ text }) => text));
  return answer
    .filter(({ kind }) => kind === "text")
    .flatMap(({ leaves }) =>
      leaves.flatMap(({ text }) => [...text.matchAll(FENCE)].map(([, code]) => code ?? "")),
    );
}

const FENCE = /^```(?:bash|sh|mswea_bash_command)\n([\s\S]*?)\n```/gm;

const kinds = createToolKinds();

/**
 * Does the command change the file, or write a script that does? It must name the file.
 *
 *   sed -i '12d' shop/rate.py                                       ->  yes
 *   cat <<EOF > fix.py … open("shop/rate.py", "w") … EOF            ->  yes
 *   sed -n '1,20p' shop/rate.py                                     ->  no
 */
export function changesFile(command: string, file: string): boolean {
  if (!command.includes(file)) return false;
  if (SCRIPTED.test(command)) return true;
  const { files } = kinds.describe("bash", { command });
  return files.some(
    ({ path, operation }) => path.endsWith(file) && (operation === "edit" || operation === "write"),
  );
}

const SCRIPTED = /\bopen\([^)\n]*,\s*(?:mode=)?["'](?:[wa]|r\+)|\.write_text\(|\bgit apply\b|\bpatch\s+-/;
