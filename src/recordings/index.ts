export { type RecordingText, readRecording, readRecordingText, writeRecordingText } from "./files.ts";
export { parseRecording } from "./parse-recording.ts";
export { type FileReport, type PrunedFile, type PruneFileOptions, pruneRecordingText } from "./prune-file.ts";
export type { Recording, RecordingSource, Segment } from "./recording.ts";
export {
  type FileEdit,
  type FileSplice,
  parseRestoreFile,
  type RestoreFile,
  restoreRecordingText,
  type TextFingerprint,
} from "./restore-file.ts";
