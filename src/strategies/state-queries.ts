import type { ToolUse } from "../tool-kinds/tool-use.ts";
import type { BuiltIn } from "./built-in.ts";
import { onIn } from "./pass-setting.ts";
import { type SupersedeOptions, supersedeSeries } from "./replacing/supersede.ts";

/**
 * Keeps only the newest answer to the same question about the workspace.
 *
 *   `git status` | edit a.ts | `git status -s`   ->  first result replaced
 *   `ls src`     | `ls test`                     ->  nothing: different questions
 */
export const stateQueries: BuiltIn<SupersedeOptions> = {
  name: "state-queries",
  mechanism: "query",
  flag: {
    key: "stateQuerySupersede",
    description:
      "A newer answer to the same question about the workspace (`git status`, `ls src`) replaces the older one.",
    presets: onIn("compact", "balanced"),
  },
  facts: ["queries"],
  optionsFor: ({ pruneToolInputs }) => ({ pruneToolInputs }),
  propose: (step, facts, options) =>
    supersedeSeries(step, facts, facts.series("queries"), ({ use }) => `newer ${nameQuery(use)}`, options),
};

/** `git status`, `ls`: kept short, so that replacing one marker with another saves nothing. */
function nameQuery({ name, commands = [] }: ToolUse): string {
  const words = commands.at(-1)?.words ?? [];
  if (commands.length !== 1) return name;
  return words[0] === "git" && /^[a-z]+$/.test(words[1] ?? "") ? `git ${words[1]}` : (words[0] ?? name);
}
