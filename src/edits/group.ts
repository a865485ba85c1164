import type { Transcript } from "../transcript/transcript.ts";

/** The parts of the step that this call belongs to which leave together: its calls, their results, its reasoning. */
export function findGroup(transcript: Transcript, call: number): readonly number[] {
  const [from, to] = transcript.stepRange(transcript.step[call] ?? 0);
  const members: number[] = [];
  for (let i = from; i < to; i++) {
    const { kind } = transcript.part(i);
    if (kind === "call" || kind === "result" || kind === "reasoning") members.push(i);
  }
  return members;
}
