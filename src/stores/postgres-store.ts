import type Postgres from "postgres";
import { loadDriver } from "./load-driver.ts";
import { type Dialect, MIGRATIONS } from "./sql.ts";
import { type Bound, type Connection, type SqlRow, sqlStore } from "./sql-store.ts";
import type { Store } from "./store.ts";

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database`; options such as `?sslmode=require` are supported. */
  readonly url: string;
  /** The clock that decides which rows are old. */
  readonly now?: () => number;
}

type Migrations = typeof MIGRATIONS;

const DIALECT: Dialect = {
  parameter: (number) => `$${number}`,
  // Passes text, because the driver would encode a parameter of type json as JSON again.
  list: (parameter) => `(SELECT json_array_elements_text(${parameter}::text::json))`,
};

/** One number for all of Coppice: the process that has this lock may change the schema. */
const MIGRATION_LOCK = 0x436f7070;

/**
 * A store in PostgreSQL, for several machines. The tables are named `coppice_…`, and are in the first schema of the
 * connection's search path. A write resolves when the server has it on disk, unless the server is configured
 * otherwise.
 *
 * @throws if the server can't be reached, or if a newer Coppice made its tables, which then stay unchanged.
 */
export async function postgresStore(
  { url, now = Date.now }: PostgresOptions,
  migrations: Migrations = MIGRATIONS,
): Promise<Store> {
  const postgres = await loadDriver("PostgreSQL", "postgres", () => import("postgres"));
  const sql = postgres(url, {
    max: 4,
    connect_timeout: 5,
    // In seconds. A server that comes back is found at the next request; by default this could take 20 s.
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

/** Safe with several processes at once: the first one migrates, the others wait and find it done. */
async function migrate(sql: Postgres.Sql, migrations: Migrations): Promise<void> {
  // Usually there is nothing to do, and then no permission to change the schema is needed.
  if ((await readVersion(sql)) === migrations.length) return;
  await sql.begin(async (transaction) => {
    await transaction`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`;
    // Not `readVersion`: it may still see the state from before the lock.
    await transaction`CREATE TABLE IF NOT EXISTS coppice_schema (version integer NOT NULL)`;
    const [row] = await transaction`SELECT version FROM coppice_schema`;
    const version = Number(row?.version ?? 0);
    if (version > migrations.length)
      throw new Error(
        `a newer version of Coppice made the tables (schema version ${version}; this version knows ${migrations.length}). They were not changed: update Coppice, or choose another database`,
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
 * Joins them into one statement, which is a transaction. With the driver's own transactions, the process ends if
 * the server goes away in the middle of one: the driver writes the rollback to a closed connection (postgres
 * 3.4.9).
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
