import { redactRecording } from "../recordings/redact-recording.ts";
import { type FileEdit, type RestoreFile, restoreRecordingText } from "../recordings/restore-file.ts";
import { createTraceMask } from "../redaction/mask-traces.ts";
import { redact } from "../redaction/redact.ts";
import { readInput, STANDARD, unwrap } from "./input.ts";
import { pruneText } from "./prune-text.ts";
import { findRestoreFile } from "./restore-files.ts";
import type { Screen } from "./screen.ts";
import { readSettings } from "./settings.ts";

export interface OpenCutsOptions {
  readonly restoreFile?: string;
  readonly preset?: string;
  readonly redact?: true;
}

/** The cuts of a pruned session, from its restore file; for any other session the cuts that `prune` would make. */
export async function openCuts(
  file: string,
  { restoreFile: named, preset, redact: masked }: OpenCutsOptions,
  screen: Screen,
): Promise<{ readonly edits: readonly FileEdit[]; readonly made: boolean }> {
  const { text } = await readInput(file);
  const restoreFile = await findRestoreFile(text, file, named);
  if (restoreFile) return { edits: masked ? maskEdits(text, restoreFile) : restoreFile.edits, made: true };
  const name = file === STANDARD ? "standard input" : file;
  const read = masked ? redactRecording(text).text : text;
  const pruned = unwrap(pruneText(read, { name, settings: readSettings(screen, preset) }));
  return { edits: pruned.restoreFile.edits, made: false };
}

/**
 * For cuts that were made before masking: their texts may be parts of a secret, or name one. So secrets are
 * searched in the whole session.
 */
function maskEdits(text: string, restoreFile: RestoreFile): readonly FileEdit[] {
  const restored = restoreRecordingText(text, restoreFile);
  const { secrets } = redactRecording(restored.ok ? restored.value : text);
  for (const { original } of restoreFile.edits) redact(original, (secret) => secrets.push(secret));
  const maskTraces = createTraceMask(secrets);
  const mask = (shown: string): string => redact(maskTraces(shown));
  return restoreFile.edits.map((edit) => ({
    ...edit,
    reason: mask(edit.reason),
    original: mask(edit.original),
    text: mask(edit.text),
  }));
}
