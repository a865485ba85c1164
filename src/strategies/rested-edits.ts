import { remember } from "../basics/remember.ts";
import type { Facts } from "../facts/facts.ts";
import type { FileOperation } from "../facts/files.ts";
import type { ToolUse } from "../tool-kinds/tool-use.ts";
import type { BuiltIn } from "./built-in.ts";
import { isStale, proposeOnce } from "./replacing/stale-operations.ts";
import type { SupersedeOptions } from "./replacing/supersede.ts";

export interface RestedOptions extends SupersedeOptions {
  /** Steps after which an untouched file counts as rested. */
  readonly rested: number;
}

/**
 * Keeps only the last edit of a file once the agent works on other files. While it works on a file, it needs all
 * its edits. Reads stay, because agents come back to them.
 *
 *   read a | edit a | edit a | 3 steps   ->  the read and the second edit stay
 *   edit a and b | edit a | 3 steps      ->  nothing: b was not touched again
 */
export const restedEdits: BuiltIn<RestedOptions> = {
  name: "rested-edits",
  mechanism: "file",
  mayReplace: { tools: ["write", "edit"], files: ["write", "edit"] },
  facts: ["strict"],
  settings: [
    {
      key: "strategies.spent.rested",
      description:
        'Edits and writes of a file are cut, except the newest, when nobody has used the file for this many steps. Only if `aggressiveFilePrune` is `"views"`.',
      default: 3,
    },
  ],
  // Under the strict rule (`fileOperations`) older edits have been replaced already.
  isOn: ({ spends, flags }) => spends && flags.aggressiveFilePrune === "views",
  optionsFor: ({ strategies: { spent }, pruneToolInputs }) => ({ rested: spent.rested, pruneToolInputs }),
  propose: (delta, facts, { rested, ...options }) => {
    const propose = proposeOnce(facts, options);
    const haveRested = remember(({ files }: ToolUse) =>
      files.every(({ path }) => hasRested(path, facts, rested)),
    );
    return facts.spent.listRested(delta, rested).flatMap((newest) =>
      listOlder(newest, facts, rested)
        .filter((older) => older.touch.operation !== "read" && isStale(older, facts.operations("strict")))
        .filter(({ fact }) => haveRested(fact.use))
        .flatMap((older) => propose(older, newest)),
    );
  },
};

/** The operations before it, back to the last pause in which the file rested: older ones were handled then. */
function listOlder(newest: FileOperation, facts: Facts, rested: number): readonly FileOperation[] {
  const history = facts.files.history(newest.touch.path);
  const older: FileOperation[] = [];
  for (let i = history.lastIndexOf(newest) - 1; i >= 0; i--) {
    const operation = history[i] as FileOperation;
    older.push(operation);
    if (operation.fact.step + rested < (history[i + 1]?.fact.step ?? 0)) break;
  }
  return older;
}

function hasRested(path: string, { files, transcript }: Facts, rested: number): boolean {
  return (files.history(path).at(-1)?.fact.step ?? 0) <= transcript.lastStep - rested;
}
