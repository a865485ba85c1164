import type { Transcript } from "../transcript/transcript.ts";

/**
 * The parts of the step that this call belongs to which leave together: its calls, their results, its reasoning. A
 * result that answers none of them is no member.
 */
export function findGroup(transcript: Transcript, call: number): readonly number[] {
  const [from, to] = transcript.stepRange(transcript.step[call] ?? 0);
  const ids = new Set<string>();
  const members: number[] = [];
  for (let i = from; i < to; i++) {
    const part = transcript.part(i);
    if (part.kind === "call") ids.add(part.callId);
    const isMember =
      part.kind === "call" || part.kind === "reasoning" || (part.kind === "result" && ids.has(part.callId));
    if (isMember) members.push(i);
  }
  return members;
}

/** What one message says in one step beside results: the parts that leave when its text leaves. */
export function findUtterance(transcript: Transcript, index: number): readonly number[] {
  const { message, step } = transcript;
  const isBeside = (i: number) => message[i] === message[index] && step[i] === step[index];
  let from = index;
  while (isBeside(from - 1)) from--;
  const members: number[] = [];
  for (let i = from; isBeside(i); i++) if (transcript.part(i).kind !== "result") members.push(i);
  return members;
}
