export { readRecording } from "./files.ts";
export { parseRecording } from "./parse-recording.ts";
export type { Recording, RecordingSource, Segment } from "./recording.ts";
