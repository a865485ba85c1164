import { parseOpencode } from "../../recordings/opencode.ts";

/**
 * All stored messages of a session, split into the lists that OpenCode sent: one up to each compaction, and one
 * after the last.
 */
export function listSegments(stored: readonly unknown[]): readonly (readonly unknown[])[] {
  const recording = parseOpencode(JSON.stringify({ info: {}, messages: stored }));
  return recording.ok ? recording.value.segments.map(({ messages }) => messages) : [];
}
