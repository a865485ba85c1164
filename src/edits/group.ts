import type { Transcript } from "../transcript/transcript.ts";

/**
 * The parts of the step that this call belongs to which leave together: its calls, their results, its reasoning, and
 * what makes one unit with that.
 */
export function findGroup(transcript: Transcript, call: number): readonly number[] {
  const [from, to] = transcript.stepRange(transcript.step[call] ?? 0);
  const parts = transcript.parts.slice(from, to);
  const isUnit = parts.some(({ kind, unit }) => unit && (kind === "reasoning" || kind === "opaque"));
  return parts.flatMap(({ kind, unit }, i) =>
    kind === "call" || kind === "result" || kind === "reasoning" || (isUnit && unit) ? [from + i] : [],
  );
}
