import { findCleared } from "../agent/agent-commands.ts";
import type { AgentView } from "../agent/agent-view.ts";
import { readRef } from "../agent/long-ref.ts";
import { describePart } from "../agent/subject.ts";
import { isRecord } from "../basics/json.ts";
import { formatNumber } from "../basics/numbers.ts";
import { namesPart } from "../schedule/restorals.ts";
import type { Ref } from "../transcript/refs.ts";
import { isRef } from "../transcript/refs.ts";
import { writeMalformed } from "./answer-parts.ts";
import { answerSafely } from "./answer-safely.ts";
import { type LineRequest, readLines, takePage } from "./page-text.ts";
import { searchLines } from "./search-lines.ts";

/** Answers a `context_recall` call: shows the original of a part or a cut, all or some lines of it. Never throws. */
export function answerRecall(input: unknown, view: AgentView): string {
  return answerSafely(() => answer(input, view));
}

function answer(input: unknown, view: AgentView): string {
  if (!view.settings.recall) return "context_recall is turned off.";
  const { ref: refText, lines, search } = isRecord(input) ? input : {};
  if (typeof refText !== "string")
    return 'No ref provided: give the six hex digits, as in { "ref": "a1b2c3" }.';
  const { ref } = readRef(refText);
  if (!isRef(ref)) return `${writeMalformed(ref)}.`;
  const range = typeof lines === "string" && lines.trim() !== "" ? readLines(lines) : ALL_LINES;
  if (!range) return `Invalid lines ${JSON.stringify(lines)}: give a range such as "10-40".`;
  const original = findOriginal(ref, view);
  if ("problem" in original) return original.problem;

  const all = original.text.split("\n");
  if (range.line > all.length) return `The original of ${ref} has ${formatNumber(all.length)} lines.`;
  const head = `Original of ${ref} (${original.about})`;
  if (typeof search === "string" && search !== "") return `${head}, ${searchLines(all, range, search)}`;
  const page = takePage(all, range);
  const shown = `lines ${formatNumber(range.line)}–${formatNumber(page.last)} of ${formatNumber(all.length)}`;
  if (!page.next) return `${head}, ${shown}:\n${page.text}`;
  const { line, character } = page.next;
  const next = `${line}${character > 0 ? `@${character}` : ""}-${range.to ?? ""}`;
  return `${head}, ${shown}:\n${page.text}\n(more: context_recall with ref "${refText}" and lines "${next}")`;
}

const ALL_LINES: LineRequest = { line: 1, character: 0 };

type Original = { readonly text: string; readonly about: string };

/** Reads the original of a ref from the transcript, or says why there is none. */
function findOriginal(ref: Ref, view: AgentView): Original | { readonly problem: string } {
  const { facts, ledger } = view;
  const { transcript } = facts;
  const place = facts.refs.placeOf(ref);
  const index = place && transcript.find(place.part);
  if (!place || index === undefined) return { problem: explainUnknown(ref, view) };
  const drop = ledger.entries.find(({ edit }) => edit.type === "drop" && edit.ref === ref)?.edit;
  if (drop?.type === "drop") {
    const parts = drop.parts.flatMap((key) => transcript.find(key) ?? []);
    return { text: parts.map((part) => showPart(part, view)).join("\n"), about: describePart(facts, index) };
  }
  const part = transcript.part(index);
  const about = describePart(facts, index);
  const cleared = findCleared(facts, ref);
  if (cleared !== undefined) return { text: cleared, about };
  if (part.kind === "file")
    return { problem: `${ref} is a file (${part.media.mime}) and can't be given as text.` };
  if (!namesPart(ref, facts)) {
    const leaf = part.leaves.find(({ id }) => id === place.leaf);
    return { text: leaf?.text.slice(place.from, place.to) ?? "", about };
  }
  if (ledger.cutsOf(place.part).length === 0)
    return { problem: `${ref} (${about}) is not cut: it is in the context unchanged.` };
  return { text: part.leaves.map(({ text }) => text).join("\n"), about };
}

/** One part of a drop, as text. */
function showPart(index: number, { facts }: AgentView): string {
  const part = facts.transcript.part(index);
  const texts = part.leaves.map(({ text }) => text);
  if (part.kind === "call") return `[call: ${part.tool}]\n${texts.join("\n")}`;
  return part.kind === "result"
    ? `[result: ${describePart(facts, index)}]\n${texts.join("\n")}`
    : texts.join("\n");
}

function explainUnknown(ref: Ref, { compacted }: AgentView): string {
  return compacted
    ? `${ref} is no longer in the history: the host compacted it, and the originals from before are gone. Read the file or run the command again.`
    : `${ref} is unknown. Take refs from placeholders such as [discarded: bash npm test · a1b2c3], or from context_info.`;
}
