import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { loadSqlite } from "../../src/stores/load-sqlite.ts";

export interface MadeSession {
  readonly id: string;
  readonly parent?: string;
  readonly directory?: string;
  /** As in an export, without ids. */
  readonly messages?: readonly { readonly info: object; readonly parts: readonly object[] }[];
}

/** A database with OpenCode 1.18's tables for sessions. `e2e/opencode` shows that real ones are the same. */
export async function makeOpencodeDatabase(file: string, sessions: readonly MadeSession[]): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  const database = (await loadSqlite()).open(file);
  database.exec(`PRAGMA journal_mode = WAL;
    CREATE TABLE session (id text PRIMARY KEY, project_id text NOT NULL, parent_id text, directory text NOT NULL,
      title text NOT NULL, time_updated integer NOT NULL);
    CREATE TABLE message (id text PRIMARY KEY, session_id text NOT NULL, time_created integer NOT NULL,
      time_updated integer NOT NULL, data text NOT NULL);
    CREATE TABLE part (id text PRIMARY KEY, message_id text NOT NULL, session_id text NOT NULL, data text NOT NULL);`);
  for (const { id, parent = null, directory = "/work/shop", messages = [ASKED] } of sessions) {
    database.prepare("INSERT INTO session VALUES (?1, 'p1', ?2, ?3, 'A title', 1)")([id, parent, directory]);
    for (const [i, { info, parts }] of messages.entries()) {
      const message = `msg_${id}_${String(i).padStart(4, "0")}`;
      database.prepare("INSERT INTO message VALUES (?1, ?2, ?3, ?3, ?4)")([
        message,
        id,
        i,
        JSON.stringify(info),
      ]);
      for (const [j, part] of parts.entries())
        database.prepare("INSERT INTO part VALUES (?1, ?2, ?3, ?4)")([
          `prt_${message}_${j}`,
          message,
          id,
          JSON.stringify(part),
        ]);
    }
  }
  database.close();
}

const ASKED = { info: { role: "user", time: { created: 1 } }, parts: [{ type: "text", text: "Look." }] };
