import { wasCut } from "../edits/own-marks.ts";
import type { Facts } from "../facts/facts.ts";
import { isRecall } from "../tool-kinds/is-recall.ts";
import { estimateMedia } from "../transcript/estimate.ts";
import { type PrunableKind, prunableKind } from "../transcript/part.ts";
import { listPartRefs } from "../transcript/refs.ts";
import type { AgentSettings } from "./agent-settings.ts";

/** In tokens. Smaller parts are not worth a cut, so they get no tag. */
const TAG_MINIMUM = 300;

/**
 * The lines added to a result from its first send on, so that the agent can name it. The last result of a step also
 * shows the refs of that step's text and reasoning. Never stored; `undefined` for none.
 *
 *   <message_hash>d4e5f6</message_hash>
 *   <tool_hash>a1b2c3</tool_hash>
 */
export function tagOf(
  facts: Facts,
  index: number,
  isProtected: (index: number) => boolean,
  settings: Pick<AgentSettings, "messages" | "reasoning" | "visibleHashes">,
): string | undefined {
  // A result that was cut before has its ref in its marker.
  if (!isTaggable(facts, index, isProtected) || hasOwnTags(facts, index) || wasCut(facts, index))
    return undefined;
  const isLast = settings.visibleHashes && isLastResult(facts, index, isProtected);
  const spoken = isLast ? listSpoken(facts, index) : [];
  const shown = spoken.filter((part) => {
    const kind = prunableKind(facts.transcript.part(part));
    return kind === "message" ? settings.messages : settings.reasoning;
  });
  const tags = [...shown, index].flatMap((part) => (isWorthATag(facts, part) ? tagFor(facts, part) : []));
  return tags.length === 0 ? undefined : tags.join("");
}

/**
 * May the result carry a tag? A result without text, such as a picture, has no place for one. A recalled text may,
 * although it is protected at first: tags are added only once.
 */
function isTaggable(facts: Facts, index: number, isProtected: (index: number) => boolean): boolean {
  const part = facts.transcript.part(index);
  if (prunableKind(part) !== "tool" || part.leaves.length === 0) return false;
  const use = facts.calls.of(index)?.use;
  return (use !== undefined && isRecall(use)) || !isProtected(index);
}

/** Is it the last result of its step that may carry a tag? */
function isLastResult(facts: Facts, index: number, isProtected: (index: number) => boolean): boolean {
  const [, to] = facts.transcript.stepRange(facts.transcript.step[index] ?? 0);
  for (let i = index + 1; i < to; i++) if (isTaggable(facts, i, isProtected)) return false;
  return true;
}

/** The texts and reasoning of a result's step. */
function listSpoken({ transcript }: Facts, result: number): readonly number[] {
  const [from] = transcript.stepRange(transcript.step[result] ?? 0);
  const spoken: number[] = [];
  for (let i = from; i < result; i++) {
    const kind = prunableKind(transcript.part(i));
    if (kind === "message" || kind === "reasoning") spoken.push(i);
  }
  return spoken;
}

function tagFor(facts: Facts, index: number): readonly string[] {
  const kind: PrunableKind | undefined = prunableKind(facts.transcript.part(index));
  const ref = facts.partRef(index);
  return kind && ref !== undefined ? [`\n<${kind}_hash>${ref}</${kind}_hash>`] : [];
}

/** Is the part's text large enough? Images do not count, as a cut leaves them. */
function isWorthATag({ transcript }: Facts, index: number): boolean {
  const part = transcript.part(index);
  const media = part.kind === "result" ? (part.media ?? []) : [];
  const text = (transcript.tokens[index] ?? 0) - media.reduce((sum, each) => sum + estimateMedia(each), 0);
  return text >= TAG_MINIMUM;
}

const WHOLE_TAG = /^\n<(?:tool|message|reasoning)_hash>[0-9a-f]{6}<\/(?:tool|message|reasoning)_hash>$/;

/** The tags at the end of a text; empty where there are none. */
export function findTagsAtEnd(text: string): string {
  if (!text.endsWith("_hash>")) return "";
  let at = text.length;
  while (at > 0) {
    const line = text.lastIndexOf("\n", at - 1);
    if (line < 0 || !WHOLE_TAG.test(text.slice(line, at))) break;
    at = line;
  }
  return text.slice(at);
}

/** Does the text end with the tags of this very part or its step? Then it was pruned before. */
function hasOwnTags(facts: Facts, index: number): boolean {
  const tags = findTagsAtEnd(facts.transcript.part(index).leaves.at(-1)?.text ?? "");
  if (tags === "") return false;
  const own = listPartRefs(facts.transcript.key(index)).map((ref) => `\n<tool_hash>${ref}</tool_hash>`);
  const others = listSpoken(facts, index).flatMap((part) => tagFor(facts, part));
  return [...others, ...own].some((tag) => tags.includes(tag));
}
