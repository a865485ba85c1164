import { parseOpencode } from "../../recordings/opencode.ts";

/**
 * The lists of messages that OpenCode made requests of, up to each compaction and after the last one, out of all that
 * it has stored of a session.
 */
export function listEpochs(stored: readonly unknown[]): readonly (readonly unknown[])[] {
  const recording = parseOpencode(JSON.stringify({ info: {}, messages: stored }));
  return recording.ok ? recording.value.segments.map(({ messages }) => messages) : [];
}
