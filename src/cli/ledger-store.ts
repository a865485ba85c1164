import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { type FileLedger, fingerprint, parseFileLedger } from "../recordings/file-ledger.ts";
import { Failure } from "./failure.ts";
import { STANDARD, unwrap } from "./input.ts";
import { isStream } from "./output.ts";

/** Where ledgers go when the output is a pipe or a device and there is no file to put them beside. */
export function ledgerFolder(env: NodeJS.ProcessEnv = process.env): string {
  return join(env.XDG_DATA_HOME || join(homedir(), ".local/share"), "coppice/ledgers");
}

/** Where the ledger of a pruned text goes: beside its file, else into `ledgerFolder` under the hash of the text. */
export function placeLedger(output: string | undefined, ledger: FileLedger): string {
  return output === undefined || output === STANDARD || isStream(output)
    ? join(ledgerFolder(), `${ledger.pruned.hash}.json`)
    : `${output}.ledger.json`;
}

export function formatLedger(ledger: FileLedger): string {
  return `${JSON.stringify(ledger)}\n`;
}

/** Pruning a file a second time must not overwrite the ledger of the first time. */
export async function refuseToOverwrite(path: string, text: string): Promise<void> {
  const there = existsSync(path) ? await readLedger(path) : undefined;
  if (!there || there.edits.length === 0 || !belongs(there, text)) return;
  throw new Failure(
    `This session was pruned before, and ${path} holds what was cut then. Restore it first (coppice restore), or name another ledger with --ledger.`,
  );
}

/** The ledger of a pruned text: the one that was named, the one beside the file, or the one in `ledgerFolder`. */
export async function findLedger(
  text: string,
  path: string,
  named: string | undefined,
): Promise<FileLedger | undefined> {
  if (named !== undefined) return readLedger(named);
  for (const place of listPlaces(text, path)) {
    const ledger = existsSync(place) ? await readLedger(place) : undefined;
    if (ledger && belongs(ledger, text)) return ledger;
  }
  return undefined;
}

export function listPlaces(text: string, path: string): readonly string[] {
  const stored = join(ledgerFolder(), `${fingerprint(text).hash}.json`);
  return path === STANDARD ? [stored] : [`${path}.ledger.json`, stored];
}

async function readLedger(path: string): Promise<FileLedger> {
  let json: string;
  try {
    json = await readFile(path, "utf8");
  } catch (error) {
    throw new Failure(
      `${path}: the ledger can't be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  const parsed = parseFileLedger(json);
  return unwrap(parsed.ok ? parsed : { ok: false, issue: { ...parsed.issue, where: path } });
}

/** Compares only the beginning: something may have been appended to the file since. */
function belongs({ pruned }: FileLedger, text: string): boolean {
  return fingerprint(text.slice(0, pruned.length)).hash === pruned.hash;
}
