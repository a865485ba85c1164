import type { ReplacePlan } from "../edits/cut-plan.ts";
import type { CallFact } from "../facts/calls.ts";
import type { Delta, Facts } from "../facts/facts.ts";
import { showsFiles } from "../facts/files.ts";
import { thinNumbers, trimNumbers } from "../facts/line-numbers.ts";
import type { Leaf } from "../transcript/part.ts";
import { mainLeaf } from "../transcript/refs.ts";
import type { BuiltIn } from "./built-in.ts";
import type { Flag } from "./pass-setting.ts";
import { hasHostTag } from "./texts/host-instructions.ts";

const LINE_NUMBERS: Flag = {
  key: "pruneLineNumbers",
  description:
    'Removes line numbers of a file before it is first sent. `"padding"`: only the blanks before them; every number stays. `true`: all numbers except those of the first line, every fifth line and the last line. `false`: nothing.',
  values: ["padding"],
  presets: { compact: "padding", balanced: "padding", verbose: false },
};

/**
 * Many tools align line numbers with blanks, which costs a token per line and carries no information. The blanks
 * are removed before a view is first sent, when that costs no rewrite. Every number and every character of the file
 * stays.
 *
 *   read a.ts:      9→a |     10→b   ->  9→a | 10→b
 */
export const trimLineNumbers: BuiltIn = {
  name: "line-numbers",
  mechanism: "numbers",
  flag: LINE_NUMBERS,
  onAt: "padding",
  propose: (step, facts) => listViews(step).flatMap((fact) => proposeTrimmed(facts, fact) ?? []),
};

function proposeTrimmed({ transcript }: Facts, fact: CallFact): ReplacePlan | undefined {
  const { result } = fact;
  const leaf = mainLeaf(transcript.part(result).leaves);
  const view = leaf && trimNumbers(leaf.text);
  if (!view) return undefined;
  const { from, to, text } = view;
  const span = { leaf: leaf.id, from, to, render: () => text };
  return { part: result, spans: [span], reason: "blanks before line numbers left out", lossless: true };
}

/**
 * Line numbers are a sixth of the cost of numbered views. Most of them are removed before such a view is first
 * sent, when that costs no rewrite: the others follow from those that stay. Nothing else of the view is changed, so
 * it counts as whole.
 *
 *   read a.ts: 11→a | 12→b | … | 15→e | …   ->  [only every fifth line number is shown · a1b2c3] | 11→a | b | … | 15→e | …
 *
 * A view with tags of a host's reminders in its lines keeps all numbers: without its number, such a line would look
 * like a real reminder. If an agent edits by line numbers, all later views also keep theirs: a line that it
 * miscounts would end up in its file.
 */
export const thinLineNumbers: BuiltIn = {
  name: "line-numbers",
  mechanism: "numbers",
  flag: LINE_NUMBERS,
  propose: (step, facts) =>
    facts.editsByLine ? [] : listViews(step).flatMap((fact) => proposeThin(facts, fact) ?? []),
};

/** The views that have not been sent yet. */
function listViews({ from, completed }: Delta): readonly CallFact[] {
  return completed.filter(({ result, use, ok }) => ok && result >= from && showsFiles(use));
}

function proposeThin({ transcript }: Facts, { result }: CallFact): ReplacePlan | undefined {
  const part = transcript.part(result);
  if (part.kind !== "result" || part.status !== "ok") return undefined;
  const [view, ...others] = part.leaves.flatMap((leaf: Leaf) => {
    const thin = thinNumbers(leaf.text);
    return thin ? [{ leaf, thin }] : [];
  });
  // A view in several pieces stays, because its mark would describe only one of them.
  if (!view || others.length > 0 || view.leaf !== mainLeaf(part.leaves)) return undefined;
  const { leaf, thin } = view;
  if (hasHostTag(thin.numbered)) return undefined;
  const span = { leaf: leaf.id, from: 0, to: leaf.text.length, render: thin.render };
  return { part: result, spans: [span], reason: "four of five line numbers left out", lossless: true };
}
