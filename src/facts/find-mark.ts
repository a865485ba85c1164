import { REMINDER_OPEN } from "../tool-kinds/host-tags.ts";
import { mayBeMarked } from "../transcript/may-be-marked.ts";
import type { Ref } from "../transcript/refs.ts";
import { listPartRefs } from "../transcript/refs.ts";
import type { Transcript } from "../transcript/transcript.ts";
import { THIN_MARK_LEAD } from "./line-numbers.ts";

/** The place of a marker of Coppice in the remaining text of a result. */
export type MarkPlace = "start" | "end" | "between";

/**
 * The marker of a result that Coppice cut before, in a transcript that was already pruned. It has the ref of
 * exactly this result, in a place where Coppice puts markers.
 */
export function findMark(transcript: Transcript, result: number): MarkPlace | undefined {
  const part = transcript.part(result);
  const marked = part.kind === "result" ? part.leaves.filter(mayBeMarked) : [];
  if (marked.length === 0) return undefined;
  const refs = listPartRefs(transcript.key(result));
  for (const { text } of marked) {
    for (const ref of refs) {
      const place = findMarkIn(text, ref);
      if (place) return place;
    }
  }
  return undefined;
}

function findMarkIn(text: string, ref: Ref): MarkPlace | undefined {
  const at = text.indexOf(`${ref}]`);
  if (at < 0) return undefined;
  const line = text.slice(text.lastIndexOf("\n", at) + 1, at);
  if (!line.endsWith(" · ") && !line.endsWith(" · recall ")) return undefined;
  const rest = text.slice(at + ref.length + 1);
  if (rest.trim() === "" || rest.startsWith(`\n${REMINDER_OPEN}`)) return "end";
  if (line === THIN_MARK_LEAD) return "between";
  if (line.startsWith("... [") && (rest === " ..." || rest.startsWith(" ...\n"))) return "between";
  return line.startsWith("[distilled: ") && at < text.indexOf("\n") ? "start" : undefined;
}
