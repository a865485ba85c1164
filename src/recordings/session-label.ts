import { formatByName } from "../formats/detect.ts";
import { findPrompt } from "./find-prompt.ts";
import type { Recording, Segment } from "./recording.ts";

/** The data by which people recognise their sessions. Unrecorded fields are missing. */
export interface SessionLabel {
  /** The folder that the agent worked in. */
  readonly project?: string;
  /** The user's first prompt, in at most a hundred characters. */
  readonly prompt?: string;
  /** When it began and ended, in milliseconds since 1970. */
  readonly start?: number;
  readonly end?: number;
}

export function labelSession({ project, format, segments }: Recording): SessionLabel {
  const prompt = firstOf(segments.map((segment) => () => labelSegment(segment, format)));
  let [start, end] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { meta, carried } of segments)
    for (const { time } of meta.slice(carried)) {
      if (time === undefined) continue;
      start = Math.min(start, time);
      end = Math.max(end, time);
    }
  return {
    ...(project !== undefined && { project }),
    ...(prompt !== undefined && { prompt }),
    ...(start <= end && { start, end }),
  };
}

/** The user's first prompt in a segment. Text that a compaction kept is used only if there is no other. */
export function labelSegment(
  { messages, carried, separate }: Pick<Segment, "messages" | "carried" | "separate">,
  format: Recording["format"],
): string | undefined {
  const { decode } = formatByName(format);
  const read = (from: number, to: number) => findPrompt(readTexts(messages.slice(from, to), decode));
  return separate ? read(0, messages.length) : (read(carried, messages.length) ?? read(0, carried));
}

/** The texts of people, one by one; hosts mark some of their own additions. */
function* readTexts(
  messages: readonly unknown[],
  decode: ReturnType<typeof formatByName>["decode"],
): Iterable<string> {
  for (const message of messages)
    for (const part of decode(message).parts)
      if (part.kind === "text" && part.role === "user" && !part.synthetic) yield part.leaves[0]?.text ?? "";
}

function firstOf<T>(asks: readonly (() => T | undefined)[]): T | undefined {
  for (const ask of asks) {
    const answer = ask();
    if (answer !== undefined) return answer;
  }
  return undefined;
}
