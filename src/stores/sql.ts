/**
 * The SQL of the stores. SQLite and PostgreSQL use the same text, except for parameters (`?1` or `$1`) and lists of
 * keys. All figures are `double precision`, like numbers in JavaScript.
 */
export interface Dialect {
  /** Writes the parameter of this number, from 1. */
  readonly parameter: (number: number) => string;
  /** Writes the right side of an `IN`, for a parameter that holds a JSON list of texts. */
  readonly list: (parameter: string) => string;
}

/**
 * What each version of the schema adds. Never changed once published: a new version is a new entry. The journal's
 * table is still called `coppice_boundaries`, so that databases of earlier versions open.
 */
export const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE coppice_boundaries (
      key text NOT NULL PRIMARY KEY,
      time double precision,
      model text,
      context_window double precision,
      prefix_tokens double precision,
      overhead_tokens double precision,
      ttl double precision,
      input double precision,
      cache_read double precision,
      cache_write double precision,
      output double precision,
      answered_by text,
      version text NOT NULL,
      config text NOT NULL,
      used_at double precision NOT NULL
    )`,
    "CREATE INDEX coppice_boundaries_used_at ON coppice_boundaries (used_at)",
    `CREATE TABLE coppice_sessions (
      id text NOT NULL PRIMARY KEY,
      client text,
      model text,
      folder text,
      started_at double precision NOT NULL,
      last_at double precision NOT NULL,
      used_at double precision NOT NULL,
      ${sumColumns()}
    )`,
    "CREATE INDEX coppice_sessions_last_at ON coppice_sessions (last_at)",
    "CREATE INDEX coppice_sessions_used_at ON coppice_sessions (used_at)",
    `CREATE TABLE coppice_days (
      day text NOT NULL PRIMARY KEY,
      ${sumColumns()}
    )`,
  ],
  [
    "ALTER TABLE coppice_boundaries ADD COLUMN warmed_at double precision",
    ...["coppice_sessions", "coppice_days"].flatMap((table) =>
      [
        "cost double precision",
        ...["paid", "pings", "arm_pruned", "arm_held_out"].map(
          (column) => `${column} double precision NOT NULL DEFAULT 0`,
        ),
      ].map((column) => `ALTER TABLE ${table} ADD COLUMN ${column}`),
    ),
  ],
  ["ALTER TABLE coppice_boundaries ADD COLUMN clears text"],
  [
    "ALTER TABLE coppice_boundaries ADD COLUMN marks text",
    "ALTER TABLE coppice_boundaries ADD COLUMN may_mark double precision",
  ],
  ["coppice_sessions", "coppice_days"].flatMap((table) =>
    [
      ...["work_requests", "prompts", "edits", "missed_edits"],
      ...["reads", "rereads", "commands", "reruns", "recalls"],
    ].map((column) => `ALTER TABLE ${table} ADD COLUMN ${column} double precision NOT NULL DEFAULT 0`),
  ),
];

/** Fields of a request whose first value stays. */
const WORDS = [
  "time",
  "model",
  "context_window",
  "prefix_tokens",
  "overhead_tokens",
  "ttl",
  "warmed_at",
  "clears",
  "marks",
  "may_mark",
  "input",
  "cache_read",
  "cache_write",
  "output",
  "answered_by",
] as const;

const SUMS = [
  "requests",
  "tokens_with",
  "tokens_without",
  "priced",
  "cost_with",
  "cost_without",
  "answered",
  "input",
  "cache_read",
  "cache_write",
  "output",
  "paid",
  "pings",
  "arm_pruned",
  "arm_held_out",
  "cuts",
  "work_requests",
  "prompts",
  "edits",
  "missed_edits",
  "reads",
  "rereads",
  "commands",
  "reruns",
  "recalls",
] as const;

type Word = (typeof WORDS)[number];
type Sum = (typeof SUMS)[number] | "cost";
type Usage = "input" | "cache_read" | "cache_write" | "output";

export type Value = string | number | null;
/** The values of a statement's parameters, by name. */
export type Values<Column extends string> = Readonly<Record<Column, Value>>;

/** A statement with the names of its parameters, in order. */
export interface Statement<Column extends string = string> {
  readonly text: string;
  readonly parameters: readonly Column[];
}

export interface Statements {
  readonly readRequests: Statement<"keys">;
  readonly touchRequests: Statement<"used_at" | "keys">;
  readonly writeRequest: Statement<"key" | "version" | "config" | "used_at" | Word>;
  readonly writeAnswer: Statement<"key" | Usage | "answered_by">;
  readonly addToSession: Statement<
    "id" | "client" | "model" | "folder" | "started_at" | "last_at" | "used_at" | Sum
  >;
  readonly addToDay: Statement<"day" | Sum>;
  readonly addPing: Statement<"id" | "cost">;
  readonly listSessions: Statement<"since" | "limit">;
  readonly listDays: Statement<"from" | "to">;
  readonly forgetRequests: Statement<"before">;
  readonly forgetSessions: Statement<"before">;
}

export function writeStatements({ parameter, list }: Dialect): Statements {
  const requestColumns = ["key", "version", "config", "used_at", ...WORDS] as const;
  const answer = ["key", "input", "cache_read", "cache_write", "output", "answered_by"] as const;
  const session = [
    "id",
    "client",
    "model",
    "folder",
    "started_at",
    "last_at",
    "used_at",
    ...SUMS,
    "cost",
  ] as const;
  const day = ["day", ...SUMS, "cost"] as const;
  const one = parameter(1);
  const two = parameter(2);
  const insert = (table: string, columns: readonly string[]) =>
    `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map((_, i) => parameter(i + 1)).join(", ")})`;
  const fill = (column: string, word: string) =>
    `${column} = coalesce(coppice_boundaries.${column}, ${word})`;
  /** The sum is unknown only if both are unknown. */
  const addCost = (table: string, cost: string) =>
    `cost = coalesce(${table}.cost + ${cost}, ${table}.cost, ${cost})`;
  const add = (table: string) =>
    [
      ...SUMS.map((sum) => `${sum} = ${table}.${sum} + excluded.${sum}`),
      addCost(table, "excluded.cost"),
    ].join(", ");
  const isNewer = "excluded.last_at >= coppice_sessions.last_at";
  const newest = (column: string) =>
    `${column} = CASE WHEN ${isNewer}
      THEN coalesce(excluded.${column}, coppice_sessions.${column})
      ELSE coalesce(coppice_sessions.${column}, excluded.${column}) END`;
  return {
    readRequests: {
      text: `SELECT * FROM coppice_boundaries WHERE key IN ${list(one)}`,
      parameters: ["keys"],
    },
    touchRequests: {
      text: `UPDATE coppice_boundaries SET used_at = ${one} WHERE key IN ${list(two)}`,
      parameters: ["used_at", "keys"],
    },
    writeRequest: {
      text: `${insert("coppice_boundaries", requestColumns)}
        ON CONFLICT (key) DO UPDATE SET used_at = excluded.used_at,
        ${WORDS.map((word) => fill(word, `excluded.${word}`)).join(", ")}`,
      parameters: requestColumns,
    },
    writeAnswer: {
      text: `UPDATE coppice_boundaries
        SET ${answer
          .slice(1)
          .map((column, i) => fill(column, parameter(i + 2)))
          .join(", ")} WHERE key = ${one}`,
      parameters: answer,
    },
    addToSession: {
      text: `${insert("coppice_sessions", session)}
        ON CONFLICT (id) DO UPDATE SET ${newest("client")}, ${newest("model")}, ${newest("folder")},
        started_at = CASE WHEN excluded.started_at < coppice_sessions.started_at
          THEN excluded.started_at ELSE coppice_sessions.started_at END,
        last_at = CASE WHEN ${isNewer} THEN excluded.last_at ELSE coppice_sessions.last_at END,
        used_at = excluded.used_at, ${add("coppice_sessions")}`,
      parameters: session,
    },
    addToDay: {
      text: `${insert("coppice_days", day)} ON CONFLICT (day) DO UPDATE SET ${add("coppice_days")}`,
      parameters: day,
    },
    addPing: {
      text: `UPDATE coppice_sessions SET pings = pings + 1, ${addCost("coppice_sessions", two)} WHERE id = ${one}`,
      parameters: ["id", "cost"],
    },
    listSessions: {
      text: `SELECT * FROM coppice_sessions WHERE last_at >= ${one} ORDER BY last_at DESC, id LIMIT ${two}`,
      parameters: ["since", "limit"],
    },
    listDays: {
      text: `SELECT * FROM coppice_days WHERE day >= ${one} AND day <= ${two} ORDER BY day`,
      parameters: ["from", "to"],
    },
    forgetRequests: {
      text: `DELETE FROM coppice_boundaries WHERE used_at < ${one}`,
      parameters: ["before"],
    },
    forgetSessions: {
      text: `DELETE FROM coppice_sessions WHERE used_at < ${one}`,
      parameters: ["before"],
    },
  };
}

function sumColumns(): string {
  return `requests double precision NOT NULL,
      tokens_with double precision NOT NULL,
      tokens_without double precision NOT NULL,
      priced double precision NOT NULL,
      cost_with double precision NOT NULL,
      cost_without double precision NOT NULL,
      answered double precision NOT NULL,
      input double precision NOT NULL,
      cache_read double precision NOT NULL,
      cache_write double precision NOT NULL,
      output double precision NOT NULL,
      cuts double precision NOT NULL`;
}
