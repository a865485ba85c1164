import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { isRecord, type JsonRecord } from "../../json.ts";

/** What pruning did in a session, or in all of them. */
export interface Figures {
  /** Edits by mechanism. */
  readonly cuts: Readonly<Record<string, number>>;
  /** Tokens that the newest request was smaller by. */
  readonly tokensSaved: number;
  /** Tokens of plain input that all requests cost, with cuts and without. */
  readonly bill: Pair;
  readonly dollars: Pair;
}

interface Pair {
  readonly with: number;
  readonly without: number;
}

export interface Totals extends Figures {
  readonly sessions: number;
}

/** Sessions that the file holds one by one; older ones are only in the sum. */
const SESSIONS = 200;

const NOTHING: Figures = {
  cuts: {},
  tokensSaved: 0,
  bill: { with: 0, without: 0 },
  dollars: { with: 0, without: 0 },
};

/**
 * Figures over sessions, in one small file on this machine. A session's entry is replaced, not added to: its figures
 * can be read from its messages at any time, so nothing counts twice after a restart, and what another process
 * overwrites is there again after the session's next turn. Nothing here throws.
 */
export class StatisticsFile {
  readonly path: string;

  constructor(path: string = findPath(process.env)) {
    this.path = path;
  }

  record(session: string, figures: Figures): void {
    try {
      const { earlier, count, sessions } = this.#read();
      sessions.delete(session);
      sessions.set(session, figures);
      const old = [...sessions].slice(0, Math.max(0, sessions.size - SESSIONS));
      for (const [id] of old) sessions.delete(id);
      const sum = add([earlier, ...old.map(([, each]) => each)]);
      this.#write({
        version: 1,
        earlier: { ...sum, sessions: count + old.length },
        sessions: Object.fromEntries(sessions),
      });
    } catch {
      // Without a place to write there are no statistics; the session is what matters.
    }
  }

  total(): Totals {
    const { earlier, count, sessions } = this.#read();
    return { ...add([earlier, ...sessions.values()]), sessions: count + sessions.size };
  }

  #read(): { earlier: Figures; count: number; sessions: Map<string, Figures> } {
    const file = readJson(this.path);
    const sessions = isRecord(file.sessions) ? Object.entries(file.sessions) : [];
    return {
      earlier: readFigures(file.earlier),
      count: isRecord(file.earlier) ? toNumber(file.earlier.sessions) : 0,
      sessions: new Map(sessions.map(([id, figures]) => [id, readFigures(figures)])),
    };
  }

  /** Readers find the old file or the new one, never half of it. */
  #write(content: object): void {
    mkdirSync(dirname(this.path), { recursive: true });
    const draft = `${this.path}.${process.pid}`;
    try {
      writeFileSync(draft, `${JSON.stringify(content)}\n`);
      renameSync(draft, this.path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
  }
}

function findPath(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_DATA_HOME || join(homedir(), ".local/share"), "coppice", "statistics.json");
}

function readJson(path: string): JsonRecord {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function readFigures(value: unknown): Figures {
  if (!isRecord(value)) return NOTHING;
  const cuts = isRecord(value.cuts) ? Object.entries(value.cuts) : [];
  return {
    cuts: Object.fromEntries(cuts.map(([name, count]) => [name, toNumber(count)])),
    tokensSaved: toNumber(value.tokensSaved),
    bill: readPair(value.bill),
    dollars: readPair(value.dollars),
  };
}

function readPair(value: unknown): Pair {
  return isRecord(value)
    ? { with: toNumber(value.with), without: toNumber(value.without) }
    : { with: 0, without: 0 };
}

function add(all: readonly Figures[]): Figures {
  const cuts: Record<string, number> = {};
  for (const figures of all)
    for (const [name, count] of Object.entries(figures.cuts)) cuts[name] = (cuts[name] ?? 0) + count;
  const sum = (of: (figures: Figures) => number): number => all.reduce((total, each) => total + of(each), 0);
  return {
    cuts,
    tokensSaved: sum(({ tokensSaved }) => tokensSaved),
    bill: { with: sum(({ bill }) => bill.with), without: sum(({ bill }) => bill.without) },
    dollars: { with: sum(({ dollars }) => dollars.with), without: sum(({ dollars }) => dollars.without) },
  };
}

function toNumber(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
