import { NO_WORK, type WorkCounts } from "../facts/work-counts.ts";
import { isCacheMarks } from "../transcript/cache-mark.ts";
import { isClearingRule } from "../transcript/clearing-rule.ts";
import type { RequestTerms, Usage } from "../transcript/message.ts";
import { type Dialect, type Statement, type Value, type Values, writeStatements } from "./sql.ts";
import { nameAnswer, storablePing, storableRequest, storableRow, storableText } from "./storable.ts";
import type { DayRow, JournalRow, RequestSums, SessionRow, Store, Sums } from "./store.ts";

export type SqlRow = Readonly<Record<string, unknown>>;

/** A statement with the values of its parameters, in order. */
export interface Bound {
  readonly text: string;
  readonly values: readonly Value[];
}

/** The operations that a store needs from a database. */
export interface Connection {
  readonly dialect: Dialect;
  query(statement: Bound): Promise<readonly SqlRow[]>;
  /** Runs several statements, all or none. */
  transact(statements: readonly Bound[]): Promise<void>;
  /** Called once. */
  close(): Promise<void>;
}

const DAY = 86_400_000;
/** Rows that were not read or written for this long are deleted. */
const REQUESTS_KEPT = 30 * DAY;
const SESSIONS_KEPT = 365 * DAY;
/** A row that is read is marked as used, but not at every read. */
const MARKED_EVERY = 7 * DAY;
/** Keys in one query. */
const KEYS_AT_ONCE = 1_000;

/** A store in a database whose schema is current. Old rows are deleted when it is opened, and once a day. */
export async function sqlStore(connection: Connection, now: () => number): Promise<Store> {
  const statements = writeStatements(connection.dialect);
  let forgotAt = now();
  let isClosed = false;

  async function query<Column extends string>(
    statement: Statement<Column>,
    values: Values<NoInfer<Column>>,
  ): Promise<readonly SqlRow[]> {
    if (isClosed) throw new Error("The store is closed.");
    return connection.query(bind(statement, values));
  }

  /** A failure here is no error: the next process that opens the store tries again. */
  async function forgetOld(): Promise<void> {
    forgotAt = now();
    try {
      await query(statements.forgetRequests, { before: forgotAt - REQUESTS_KEPT });
      await query(statements.forgetSessions, { before: forgotAt - SESSIONS_KEPT });
    } catch {}
  }

  async function markUsed(rows: readonly SqlRow[]): Promise<void> {
    const time = now();
    const old = rows.filter((row) => toNumber(row.used_at) < time - MARKED_EVERY);
    if (old.length === 0) return;
    try {
      await query(statements.touchRequests, {
        used_at: time,
        keys: JSON.stringify(old.map(({ key }) => key)),
      });
    } catch {
      // The rows were read, even if nothing can be written.
    }
  }

  await forgetOld();
  return {
    async readRequests(keys) {
      const unique = [...new Set(keys)];
      const found = new Map<unknown, SqlRow>();
      for (let i = 0; i < unique.length; i += KEYS_AT_ONCE) {
        const chunk = unique.slice(i, i + KEYS_AT_ONCE).map(storableText);
        const rows = await query(statements.readRequests, { keys: JSON.stringify(chunk) });
        await markUsed(rows);
        for (const row of rows) found.set(row.key, row);
      }
      return unique.flatMap((key) => {
        const row = found.get(storableText(key));
        return row ? toJournalRow(key, row) : [];
      });
    },
    async writeRequest(newRow) {
      const row = storableRow(newRow);
      if (now() - forgotAt > DAY) await forgetOld();
      await query(statements.writeRequest, {
        key: row.key,
        version: row.version,
        config: row.config,
        used_at: now(),
        time: row.terms.time ?? null,
        model: row.terms.model ?? null,
        context_window: row.terms.window ?? null,
        prefix_tokens: row.terms.prefixTokens ?? null,
        overhead_tokens: row.terms.overheadTokens ?? null,
        ttl: row.terms.ttl ?? null,
        warmed_at: row.terms.warmedAt ?? null,
        clears: row.terms.clears ? JSON.stringify(row.terms.clears) : null,
        marks: row.terms.marks ? JSON.stringify(row.terms.marks) : null,
        may_mark: row.terms.mayMark ? 1 : null,
        ...answerValues(row),
      });
    },
    async writeAnswer(key, answer) {
      await query(statements.writeAnswer, { key: storableText(key), ...answerValues(nameAnswer(answer)) });
    },
    async addRequest(newRow) {
      if (isClosed) throw new Error("The store is closed.");
      const request = storableRequest(newRow);
      const { session: id, day, time } = request;
      const sums = sumValues(request);
      const session = {
        id,
        client: request.client ?? null,
        model: request.model ?? null,
        folder: request.folder ?? null,
        started_at: time,
        last_at: time,
        used_at: now(),
        ...sums,
      };
      // Always in this order, so that two writers can't deadlock.
      await connection.transact([
        bind(statements.addToSession, session),
        bind(statements.addToDay, { day, ...sums }),
      ]);
    },
    async addPing(newRow) {
      if (isClosed) throw new Error("The store is closed.");
      const { session: id, day, cost = null } = storablePing(newRow);
      await connection.transact([
        bind(statements.addPing, { id, cost }),
        bind(statements.addToDay, { day, ...NO_SUMS, pings: 1, cost }),
      ]);
    },
    async listSessions({ since = -Number.MAX_VALUE, limit = Number.MAX_SAFE_INTEGER } = {}) {
      return (await query(statements.listSessions, { since, limit })).map(toSession);
    },
    async listDays({ from = "0000-01-01", to = "9999-12-31" } = {}) {
      return (await query(statements.listDays, { from, to })).map(toDay);
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await connection.close();
    },
  };
}

function bind<Column extends string>({ text, parameters }: Statement<Column>, values: Values<Column>): Bound {
  return { text, values: parameters.map((name) => values[name]) };
}

function usageValues(usage: Usage | undefined, missing: number | null) {
  return {
    input: usage?.input ?? missing,
    cache_read: usage?.cacheRead ?? missing,
    cache_write: usage?.cacheWrite ?? missing,
    output: usage?.output ?? missing,
  };
}

function answerValues({ usage, answeredBy }: Pick<JournalRow, "usage" | "answeredBy">) {
  return { ...usageValues(usage, null), answered_by: answeredBy ?? null };
}

const NO_SUMS = {
  ...{ requests: 0, tokens_with: 0, tokens_without: 0, priced: 0, cost_with: 0, cost_without: 0 },
  ...{ answered: 0, input: 0, cache_read: 0, cache_write: 0, output: 0 },
  ...{ paid: 0, pings: 0, arm_pruned: 0, arm_held_out: 0, cuts: 0 },
  ...workValues(NO_WORK),
};

function workValues(work: WorkCounts) {
  const { requests, prompts, edits, missedEdits, reads, rereads, commands, reruns, recalls } = work;
  return {
    ...{ work_requests: requests, missed_edits: missedEdits },
    ...{ prompts, edits, reads, rereads, commands, reruns, recalls },
  };
}

function toWork(row: SqlRow): WorkCounts {
  return {
    requests: toNumber(row.work_requests),
    prompts: toNumber(row.prompts),
    edits: toNumber(row.edits),
    missedEdits: toNumber(row.missed_edits),
    reads: toNumber(row.reads),
    rereads: toNumber(row.rereads),
    commands: toNumber(row.commands),
    reruns: toNumber(row.reruns),
    recalls: toNumber(row.recalls),
  };
}

function sumValues(request: RequestSums) {
  const { tokensWith, tokensWithout, costWith, costWithout, usage, cost, arm, cuts, work } = request;
  return {
    requests: 1,
    tokens_with: tokensWith,
    tokens_without: tokensWithout,
    priced: costWith === undefined ? 0 : 1,
    cost_with: costWith ?? 0,
    cost_without: costWithout ?? 0,
    answered: usage ? 1 : 0,
    ...usageValues(usage, 0),
    paid: cost === undefined ? 0 : 1,
    cost: cost ?? null,
    pings: 0,
    arm_pruned: arm === "pruned" ? 1 : 0,
    arm_held_out: arm === "heldOut" ? 1 : 0,
    cuts,
    ...workValues(work ?? NO_WORK),
  };
}

function toJournalRow(key: string, row: SqlRow): JournalRow {
  return {
    key,
    terms: {
      ...numberField("time", row.time),
      ...textField("model", row.model),
      ...numberField("window", row.context_window),
      ...numberField("prefixTokens", row.prefix_tokens),
      ...numberField("overheadTokens", row.overhead_tokens),
      ...numberField("ttl", row.ttl),
      ...numberField("warmedAt", row.warmed_at),
      ...readClears(row.clears),
      ...readMarks(row.marks),
      ...(row.may_mark === 1 && { mayMark: true }),
    },
    ...(row.input !== null && { usage: toUsage(row) }),
    ...textField("answeredBy", row.answered_by),
    version: String(row.version),
    config: String(row.config),
  };
}

function toSession(row: SqlRow): SessionRow {
  return {
    id: String(row.id),
    ...textField("client", row.client),
    ...textField("model", row.model),
    ...textField("folder", row.folder),
    startedAt: toNumber(row.started_at),
    lastAt: toNumber(row.last_at),
    ...toSums(row),
  };
}

function toDay(row: SqlRow): DayRow {
  return { day: String(row.day), ...toSums(row) };
}

function toSums(row: SqlRow): Sums {
  const priced = toNumber(row.priced);
  const answered = toNumber(row.answered);
  return {
    requests: toNumber(row.requests),
    tokensWith: toNumber(row.tokens_with),
    tokensWithout: toNumber(row.tokens_without),
    priced,
    ...(priced > 0 && { costWith: toNumber(row.cost_with), costWithout: toNumber(row.cost_without) }),
    answered,
    ...(answered > 0 && { usage: toUsage(row) }),
    paid: toNumber(row.paid),
    ...numberField("cost", row.cost),
    pings: toNumber(row.pings),
    arms: { pruned: toNumber(row.arm_pruned), heldOut: toNumber(row.arm_held_out) },
    cuts: toNumber(row.cuts),
    work: toWork(row),
  };
}

function toUsage(row: SqlRow): Usage {
  return {
    input: toNumber(row.input),
    cacheRead: toNumber(row.cache_read),
    cacheWrite: toNumber(row.cache_write),
    output: toNumber(row.output),
  };
}

function readClears(text: unknown): RequestTerms {
  const clears = parseText(text);
  return isClearingRule(clears) ? { clears } : {};
}

function readMarks(text: unknown): RequestTerms {
  const marks = parseText(text);
  return isCacheMarks(marks) ? { marks } : {};
}

function parseText(text: unknown): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

function toNumber(value: unknown): number {
  return typeof value === "number" ? value : 0;
}

function numberField<Name extends string>(name: Name, value: unknown): { readonly [N in Name]?: number } {
  return typeof value === "number" ? ({ [name]: value } as { [N in Name]: number }) : {};
}

function textField<Name extends string>(name: Name, value: unknown): { readonly [N in Name]?: string } {
  return typeof value === "string" ? ({ [name]: value } as { [N in Name]: string }) : {};
}
