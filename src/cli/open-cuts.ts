import type { FileEdit } from "../recordings/file-ledger.ts";
import { readInput, STANDARD, unwrap } from "./input.ts";
import { findLedger } from "./ledger-store.ts";
import { pruneText } from "./prune-text.ts";
import type { Screen } from "./screen.ts";
import { readSettings } from "./settings.ts";

export interface OpenCutsOptions {
  readonly ledger?: string;
  readonly preset?: string;
}

/** The cuts of a pruned session, from its ledger; for any other session the cuts that `prune` would make. */
export async function openCuts(
  file: string,
  { ledger: named, preset }: OpenCutsOptions,
  screen: Screen,
): Promise<{ readonly edits: readonly FileEdit[]; readonly made: boolean }> {
  const { text } = await readInput(file);
  const ledger = await findLedger(text, file, named);
  if (ledger) return { edits: ledger.edits, made: true };
  const name = file === STANDARD ? "standard input" : file;
  const pruned = unwrap(pruneText(text, { name, settings: readSettings(screen, preset) }));
  return { edits: pruned.ledger.edits, made: false };
}
