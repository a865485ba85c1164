import type { Part } from "../transcript/part.ts";
import type { Transcript } from "../transcript/transcript.ts";

/**
 * The parts of this call's step that can only be dropped together: its calls, their results, its reasoning, and the
 * parts that form a unit with the reasoning. A result that answers none of these calls does not belong to the group.
 *
 * @param mustFollowInput must this call stand behind an input? Then the next response's calls must too, and what the step
 *   says beside its calls would stand right before them: it belongs to the group, unless a prompt follows.
 */
export function findGroup(
  transcript: Transcript,
  call: number,
  mustFollowInput: (call: Part) => boolean = () => false,
): readonly number[] {
  const [from, to] = transcript.stepRange(transcript.step[call] ?? 0);
  const isWhole = mustFollowInput(transcript.part(call)) && !hasPrompt(transcript, call, to);
  const isUnit = hasUnit(transcript, from, to);
  const ids = new Set<string>();
  const members: number[] = [];
  for (let i = from; i < to; i++) {
    const part = transcript.part(i);
    if (part.kind === "call") ids.add(part.callId);
    const isMember =
      part.kind === "call" ||
      part.kind === "reasoning" ||
      (part.kind === "result" && ids.has(part.callId)) ||
      (isUnit && part.unit) ||
      (isWhole && part.role === "assistant");
    if (isMember) members.push(i);
  }
  return members;
}

/**
 * The parts of one message in one step, without results: they are dropped with its text. If the step is a unit, that
 * is the whole response.
 */
export function findUtterance(transcript: Transcript, index: number): readonly number[] {
  const { message, step } = transcript;
  const [start, end] = transcript.stepRange(step[index] ?? 0);
  const isWhole = transcript.part(index).role === "assistant" && hasUnit(transcript, start, end);
  const isBeside = (i: number) =>
    step[i] === step[index] &&
    (isWhole ? transcript.part(i).role === "assistant" : message[i] === message[index]);
  let from = index;
  while (isBeside(from - 1)) from--;
  const members: number[] = [];
  for (let i = from; isBeside(i); i++) if (transcript.part(i).kind !== "result") members.push(i);
  return members;
}

function hasPrompt(transcript: Transcript, from: number, to: number): boolean {
  return transcript.parts.slice(from, to).some(({ kind, role }) => kind !== "result" && role === "user");
}

/** Is there reasoning, or an unknown part, that the provider requires together with the part after it? */
function hasUnit(transcript: Transcript, from: number, to: number): boolean {
  const binds = ({ kind, unit }: Part) => unit === true && (kind === "reasoning" || kind === "opaque");
  return transcript.parts.slice(from, to).some(binds);
}
