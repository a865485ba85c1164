import type Postgres from "postgres";
import { loadDriver } from "./load-driver.ts";
import { type Dialect, MIGRATIONS } from "./sql.ts";
import { type Bound, type Connection, type SqlRow, sqlStore } from "./sql-store.ts";
import type { Store } from "./store.ts";

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database`; `?sslmode=require` and the like are heeded. */
  readonly url: string;
  /** The clock by which old rows are forgotten. */
  readonly now?: () => number;
}

type Migrations = typeof MIGRATIONS;

const DIALECT: Dialect = {
  parameter: (number) => `$${number}`,
  // By way of text: the driver would turn a parameter of type json into JSON once more.
  list: (parameter) => `(SELECT json_array_elements_text(${parameter}::text::json))`,
};

/** One number for all of Coppice: who has it may change the schema. */
const MIGRATION_LOCK = 0x436f7070;

/**
 * A store in PostgreSQL, for several machines. The tables are named `coppice_…`, and stand where the search path of the
 * connection leads. A write resolves when the server has it on its disk, as long as the server is not told otherwise.
 *
 * @throws where the server can't be reached, or where its tables were made by a newer Coppice: they are left as they are.
 */
export async function postgresStore(
  { url, now = Date.now }: PostgresOptions,
  migrations: Migrations = MIGRATIONS,
): Promise<Store> {
  const postgres = await loadDriver("PostgreSQL", "postgres", () => import("postgres"));
  const sql = postgres(url, {
    max: 4,
    connect_timeout: 5,
    // In seconds. A server that is back is found at the next request; by default it could take 20 s.
    backoff: () => 0.1,
    fetch_types: false,
    onnotice: () => {},
  });
  try {
    await migrate(sql, migrations);
  } catch (error) {
    await sql.end({ timeout: 0 });
    throw error;
  }
  return sqlStore(connect(sql), now);
}

/** Safe with several processes at once: the first does it, the others wait and find it done. */
async function migrate(sql: Postgres.Sql, migrations: Migrations): Promise<void> {
  // Most often there is nothing to do, and then no right to change the schema is needed.
  if ((await readVersion(sql)) === migrations.length) return;
  await sql.begin(async (transaction) => {
    await transaction`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`;
    // Not `readVersion`: whether there is a table it may still know from before the lock.
    await transaction`CREATE TABLE IF NOT EXISTS coppice_schema (version integer NOT NULL)`;
    const [row] = await transaction`SELECT version FROM coppice_schema`;
    const version = Number(row?.version ?? 0);
    if (version > migrations.length)
      throw new Error(
        `the tables were made by a newer version of Coppice (their schema is ${version}, and ${migrations.length} the newest that is known here). They were left as they are: update Coppice, or choose another database`,
      );
    for (const statement of migrations.slice(version).flat()) await transaction.unsafe(statement);
    await transaction`DELETE FROM coppice_schema`;
    await transaction`INSERT INTO coppice_schema (version) VALUES (${migrations.length})`;
  });
}

async function readVersion(sql: Postgres.Sql): Promise<number> {
  const [found] = await sql`SELECT to_regclass('coppice_schema') IS NOT NULL AS exists`;
  if (!found?.exists) return 0;
  const [row] = await sql`SELECT version FROM coppice_schema`;
  return Number(row?.version ?? 0);
}

function connect(sql: Postgres.Sql): Connection {
  const run = ({ text, values }: Bound) => sql.unsafe<SqlRow[]>(text, [...values], { prepare: true });
  return {
    dialect: DIALECT,
    query: async (statement) => await run(statement),
    transact: async (statements) => {
      await run(joinStatements(statements));
    },
    close: () => sql.end({ timeout: 5 }),
  };
}

/**
 * All of them as one statement, which is a transaction. The driver's own way ends the process where the server goes in the
 * middle of one: it writes the rollback to a connection that is no more (postgres 3.4.9).
 */
function joinStatements(statements: readonly Bound[]): Bound {
  const parts: string[] = [];
  const values: Bound["values"][number][] = [];
  for (const each of statements) {
    const before = values.length;
    const text = each.text.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + before}`);
    parts.push(`part${parts.length} AS (${text} RETURNING 1)`);
    values.push(...each.values);
  }
  return { text: `WITH ${parts.join(", ")} SELECT 1`, values };
}
