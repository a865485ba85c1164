import type { Ref } from "../edits/edit.ts";
import { deriveRef, mainLeaf } from "../edits/refs.ts";
import type { Facts } from "../facts/facts.ts";
import { estimateMedia } from "../transcript/estimate.ts";

/** Parts smaller than this are not worth a cut, so they carry no tag. */
const TAG_MINIMUM = 300;

/** The line that a result carries in the view, so that the agent can name it. Never stored. */
function resultTag(ref: Ref): string {
  return `\n<tool_hash>${ref}</tool_hash>`;
}

/** The ref of a whole part; `undefined` when it has no text. */
function partRef(facts: Facts, index: number): Ref | undefined {
  const { transcript, refs } = facts;
  const main = mainLeaf(transcript.part(index).leaves);
  return main && refs.refOf({ part: transcript.key(index), leaf: main.id, from: 0, to: main.text.length });
}

/** The tag of a part, or `undefined` for those that carry none. */
export function tagOf(
  facts: Facts,
  index: number,
  isProtected: (index: number) => boolean,
): string | undefined {
  const part = facts.transcript.part(index);
  if (part.kind !== "result" || part.status === "pending" || part.status === "cleared") return undefined;
  if (countText(facts, index) < TAG_MINIMUM || isProtected(index)) return undefined;
  const ref = partRef(facts, index);
  return ref === undefined || hasOwnTag(facts, index) ? undefined : resultTag(ref);
}

/** What a cut could save: the images beside the text stay. */
function countText({ transcript }: Facts, index: number): number {
  const part = transcript.part(index);
  const media = part.kind === "result" ? (part.media ?? []) : [];
  return (transcript.tokens[index] ?? 0) - media.reduce((sum, each) => sum + estimateMedia(each), 0);
}

/** Does the text already end with the tag derived for this very part? Then it was pruned before. */
function hasOwnTag(facts: Facts, index: number): boolean {
  const { leaves } = facts.transcript.part(index);
  const last = leaves.at(-1);
  const tag = last && TAG_AT_END.exec(last.text);
  if (!tag) return false;
  const main = mainLeaf([...leaves.slice(0, -1), { id: last.id, text: last.text.slice(0, tag.index) }]);
  const part = facts.transcript.key(index);
  return main !== undefined && deriveRef({ part, leaf: main.id, from: 0, to: main.text.length }) === tag[1];
}

const TAG_AT_END = /\n<tool_hash>([0-9a-f]{6})<\/tool_hash>$/;
