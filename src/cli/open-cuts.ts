import { type FileEdit, type FileLedger, restoreRecordingText } from "../recordings/file-ledger.ts";
import { redactRecording } from "../recordings/redact-recording.ts";
import { createTraceMask } from "../redaction/mask-traces.ts";
import { redact } from "../redaction/redact.ts";
import { readInput, STANDARD, unwrap } from "./input.ts";
import { findLedger } from "./ledger-store.ts";
import { pruneText } from "./prune-text.ts";
import type { Screen } from "./screen.ts";
import { readSettings } from "./settings.ts";

export interface OpenCutsOptions {
  readonly ledger?: string;
  readonly preset?: string;
  readonly redact?: true;
}

/** The cuts of a pruned session, from its ledger; for any other session the cuts that `prune` would make. */
export async function openCuts(
  file: string,
  { ledger: named, preset, redact: masked }: OpenCutsOptions,
  screen: Screen,
): Promise<{ readonly edits: readonly FileEdit[]; readonly made: boolean }> {
  const { text } = await readInput(file);
  const ledger = await findLedger(text, file, named);
  if (ledger) return { edits: masked ? maskEdits(text, ledger) : ledger.edits, made: true };
  const name = file === STANDARD ? "standard input" : file;
  const read = masked ? redactRecording(text).text : text;
  const pruned = unwrap(pruneText(read, { name, settings: readSettings(screen, preset) }));
  return { edits: pruned.ledger.edits, made: false };
}

/**
 * Cuts that were made before anything was masked: their texts may be parts of a secret, or name one. So the secrets are
 * looked for in the whole session.
 */
function maskEdits(text: string, ledger: FileLedger): readonly FileEdit[] {
  const restored = restoreRecordingText(text, ledger);
  const { secrets } = redactRecording(restored.ok ? restored.value : text);
  for (const { original } of ledger.edits) redact(original, (secret) => secrets.push(secret));
  const maskTraces = createTraceMask(secrets);
  const mask = (shown: string): string => redact(maskTraces(shown));
  return ledger.edits.map((edit) => ({
    ...edit,
    reason: mask(edit.reason),
    original: mask(edit.original),
    text: mask(edit.text),
  }));
}
