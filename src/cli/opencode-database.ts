import { resolve } from "node:path";
import type { Result } from "../basics/issue.ts";
import { describeError } from "../basics/issue.ts";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import { loadSqlite } from "../stores/load-sqlite.ts";
import type { SqliteDatabase } from "../stores/sqlite-driver.ts";

/** A session in OpenCode's database. */
export interface StoredSession {
  readonly id: string;
  /** For a subagent's: the session that started it. */
  readonly parent?: string;
  /** Changes when anything in the session changes. */
  readonly stamp: string;
  readonly parts: number;
}

/** The name of a session in a database: `opencode.db#ses_123`. */
export function nameStored(database: string, session: string): string {
  return `${database}#${session}`;
}

/** The inverse of `nameStored`; `undefined` for other paths. */
export function splitStored(
  path: string,
): { readonly database: string; readonly session: string } | undefined {
  const [, database, session] = /^(.+\.db)#(\w+)$/s.exec(path) ?? [];
  return database === undefined || session === undefined ? undefined : { database, session };
}

/** All sessions, even while OpenCode runs: nothing is written to its database. Never throws. */
export function listStored(file: string): Promise<Result<readonly StoredSession[]>> {
  return query(file, (database) => {
    const counts = new Map(
      database
        .prepare("SELECT session_id, count(*) AS parts FROM part GROUP BY session_id")()
        .map((row) => [row.session_id, Number(row.parts)]),
    );
    return database
      .prepare(
        `SELECT s.id, s.parent_id, s.time_updated, max(m.time_updated) AS newest, count(*) AS messages
         FROM session AS s JOIN message AS m ON m.session_id = s.id GROUP BY s.id ORDER BY s.id`,
      )()
      .map((row) => {
        const parts = counts.get(row.id) ?? 0;
        return {
          id: String(row.id),
          ...(typeof row.parent_id === "string" && { parent: row.parent_id }),
          stamp: [row.time_updated, row.newest, row.messages, parts].join("-"),
          parts,
        };
      });
  });
}

/** The session in the form of `opencode export`. Never throws. */
export async function exportStored(file: string, session: string): Promise<Result<string>> {
  const exported = await query(file, (database) => exportSession(database, session));
  if (!exported.ok) return exported;
  const { value } = exported;
  return value === undefined
    ? unreadable(nameStored(file, session), "the session does not exist")
    : { ok: true, value };
}

function exportSession(database: SqliteDatabase, session: string): string | undefined {
  const [row] = database.prepare("SELECT id, project_id, directory, title FROM session WHERE id = ?1")([
    session,
  ]);
  if (!row) return undefined;
  const parts = new Map<unknown, JsonRecord[]>();
  for (const part of database.prepare(
    "SELECT id, message_id, data FROM part WHERE session_id = ?1 ORDER BY message_id, id",
  )([session])) {
    const known = parts.get(part.message_id);
    const value = { ...readData(part.data), id: part.id, sessionID: session, messageID: part.message_id };
    if (known) known.push(value);
    else parts.set(part.message_id, [value]);
  }
  const messages = database
    .prepare("SELECT id, data FROM message WHERE session_id = ?1 ORDER BY time_created, id")([session])
    .map(({ id, data }) => ({
      info: { ...readData(data), id, sessionID: session },
      parts: parts.get(id) ?? [],
    }));
  const { project_id: projectID, directory, title } = row;
  return JSON.stringify({ info: { id: session, projectID, directory, title }, messages });
}

function readData(data: unknown): JsonRecord {
  try {
    const value: unknown = JSON.parse(String(data));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

async function query<T>(file: string, ask: (database: SqliteDatabase) => T): Promise<Result<T>> {
  let database: SqliteDatabase | undefined;
  try {
    const driver = await loadSqlite();
    database = driver.open(resolve(file), "read-only");
    // OpenCode locks it only for moments.
    database.exec("PRAGMA busy_timeout = 5000");
    return { ok: true, value: ask(database) };
  } catch (error) {
    return unreadable(file, `not a readable OpenCode database: ${describeError(error)}`);
  } finally {
    database?.close();
  }
}

function unreadable(where: string, message: string): Result<never> {
  return { ok: false, issue: { code: "unreadable-input", severity: "error", where, message } };
}
