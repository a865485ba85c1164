import { lstatSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dataFolder } from "../../stores/data-folder.ts";
import { makeFolder } from "../../stores/make-folder.ts";
import { hashText } from "../../transcript/hash.ts";
import type { HookEnvironment } from "./answer-hook.ts";

/** The time that Claude Code keeps transcripts by default. So a resumed session finds its files. */
const DAYS_KEPT = 30;
const BYTES_KEPT = 256 * 1024 * 1024;

const DAY = 24 * 60 * 60 * 1000;

/** A session's id becomes the name of a folder. */
const SESSION_ID = /^[\w-]{1,100}$/;

function outputsFolder(env: HookEnvironment): string {
  return join(dataFolder(env), "coppice/outputs");
}

/**
 * Keeps the full text of a shortened output, in a file that only the user can read. Returns its path.
 *
 * @throws if it can't be written. Then the output must not be shortened.
 */
export function keepOutput(session: string, callId: string, text: string, env: HookEnvironment): string {
  if (!SESSION_ID.test(session)) throw new Error("this session's id can't be the name of a folder");
  const path = join(outputsFolder(env), session, `${hashText(callId)}.txt`);
  makeFolder(dirname(path), 0o700);
  try {
    writeFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
  return path;
}

/** Returns true for the path of an output that was kept for this session. */
export function isKeptOutput(path: string, session: string, env: HookEnvironment): boolean {
  if (!SESSION_ID.test(session) || dirname(path) !== join(outputsFolder(env), session)) return false;
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

interface Kept {
  readonly path: string;
  readonly time: number;
  readonly bytes: number;
}

/**
 * Deletes outputs that are too old, and then the oldest ones while the rest takes too much space. Does not throw: a
 * file that can't be deleted now can be deleted with the next output.
 */
export function sweepOutputs(env: HookEnvironment, now: number = Date.now()): void {
  try {
    const folder = outputsFolder(env);
    const sessions = readdirSync(folder).map((name) => join(folder, name));
    const newestFirst = sessions.flatMap(listKept).sort((a, b) => b.time - a.time);
    let bytes = 0;
    for (const kept of newestFirst) {
      bytes += kept.bytes;
      if (bytes > BYTES_KEPT || now - kept.time > DAYS_KEPT * DAY) rmSync(kept.path, { force: true });
    }
    for (const session of sessions) if (readdirSync(session).length === 0) rmdirSync(session);
  } catch {
    // The hook of another session may be deleting them at the same time.
  }
}

function listKept(session: string): readonly Kept[] {
  return readdirSync(session).flatMap((name) => {
    const path = join(session, name);
    const found = statSync(path, { throwIfNoEntry: false });
    return found ? [{ path, time: found.mtimeMs, bytes: found.size }] : [];
  });
}
