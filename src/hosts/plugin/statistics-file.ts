import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { MECHANISMS } from "../../edits/mechanism.ts";
import { addStatistics, type Statistics } from "../../reports/statistics.ts";
import type { Tally } from "../../reports/tally.ts";
import { makeFolder } from "../../stores/make-folder.ts";

/** The most sessions that the file lists separately; older ones are only in the total. */
const SESSIONS_KEPT = 200;

/**
 * Statistics over sessions, in one small file on this machine. Each turn replaces a session's entry with figures
 * computed from its messages. So nothing counts twice after a restart, and an entry that another process overwrites
 * comes back after the session's next turn. Nothing here throws.
 */
export class StatisticsFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  record(session: string, statistics: Statistics): void {
    const { earlier, sessions } = this.#read();
    sessions.delete(session);
    sessions.set(session, statistics);
    const old = [...sessions].slice(0, Math.max(0, sessions.size - SESSIONS_KEPT));
    for (const [id] of old) sessions.delete(id);
    const sum = old.map(([, each]) => each).reduce(addStatistics, earlier);
    this.#write({ version: 1, earlier: sum, sessions: Object.fromEntries(sessions) });
  }

  total(): Statistics {
    const { earlier, sessions } = this.#read();
    return [...sessions.values()].reduce(addStatistics, earlier);
  }

  #read(): { readonly earlier: Statistics; readonly sessions: Map<string, Statistics> } {
    const file = readJson(this.path);
    const sessions = isRecord(file.sessions) ? Object.entries(file.sessions) : [];
    return {
      earlier: readStatistics(file.earlier),
      sessions: new Map(sessions.map(([id, each]) => [id, readStatistics(each)])),
    };
  }

  /**
   * Readers find the old file or the new one, never a partial one. If it can't be written, there are no statistics.
   */
  #write(content: object): void {
    const draft = `${this.path}.${process.pid}`;
    try {
      makeFolder(dirname(this.path), 0o700);
      writeFileSync(draft, `${JSON.stringify(content)}\n`, { mode: 0o600 });
      renameSync(draft, this.path);
    } catch {
      // A full disk or a read-only folder is no reason to fail for statistics.
      discard(draft);
    }
  }
}

function discard(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // The file does not exist.
  }
}

function readJson(path: string): JsonRecord {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function readStatistics(value: unknown): Statistics {
  const { cuts, saved, billSaved, dollarsSaved, input, deferred } = isRecord(value) ? value : {};
  const tallies = isRecord(cuts) ? cuts : {};
  const used = MECHANISMS.filter((mechanism) => isRecord(tallies[mechanism]));
  return {
    cuts: Object.fromEntries(used.map((mechanism) => [mechanism, readTally(tallies[mechanism])])),
    saved: toNumber(saved),
    billSaved: toNumber(billSaved),
    ...(typeof dollarsSaved === "number" && { dollarsSaved: toNumber(dollarsSaved) }),
    input: isRecord(input)
      ? { total: toNumber(input.total), fromCache: toNumber(input.fromCache) }
      : { total: 0, fromCache: 0 },
    deferred: readTally(deferred),
  };
}

function readTally(value: unknown): Tally {
  return isRecord(value)
    ? { cuts: toNumber(value.cuts), tokens: toNumber(value.tokens) }
    : { cuts: 0, tokens: 0 };
}

function toNumber(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
