import type { Issue } from "./issue.ts";
import type { PruneRequest } from "./pruner.ts";
import {
  COUNT,
  type Field,
  type Fields,
  FLAG,
  invalidRequest,
  readFields,
  SIZE,
  TEXT,
  TIME,
} from "./read-fields.ts";
import type { Asked, MessageMeta, Usage } from "./transcript/message.ts";

const USAGE: Fields<Usage> = { input: COUNT, cacheRead: COUNT, cacheWrite: COUNT, output: COUNT };
const FIGURES = Object.entries(USAGE);

const ASKED: Fields<Asked> = { time: TIME, model: TEXT, window: SIZE };

const META: Fields<MessageMeta> = {
  time: TIME,
  model: TEXT,
  asked: {
    expected: `{ ${Object.keys(ASKED).join(", ")} }`,
    fits: (value) => typeof value === "object" && value !== null,
  },
  cleared: {
    expected: "a list of call ids",
    fits: (value) => Array.isArray(value) && value.every((id) => typeof id === "string"),
  },
  usage: {
    // It says that the message's own word does not count.
    takesNothing: true,
    expected: `{ ${FIGURES.map(([name]) => name).join(", ")} }, each a number ≥ 0`,
    fits: (value) =>
      typeof value === "object" &&
      value !== null &&
      FIGURES.every(([name, { fits }]) => fits(Reflect.get(value, name))),
  },
};

const STANDING: Field = {
  expected: '"on", "off" or "shadow"',
  fits: (value) => value === "on" || value === "off" || value === "shadow",
};

const REQUEST: Fields<PruneRequest> = {
  session: TEXT,
  model: TEXT,
  window: SIZE,
  at: TIME,
  carried: COUNT,
  meta: { expected: "a list", fits: Array.isArray },
  subagent: FLAG,
  standing: STANDING,
};

export interface ReadRequest {
  readonly request: PruneRequest;
  readonly issues: readonly Issue[];
}

/** A request as far as it is one. What is not costs its own field, and is reported. Never throws. */
export function readRequest(given: unknown): ReadRequest {
  const problems: string[] = [];
  if (typeof given !== "object" || given === null)
    problems.push("the request: expected an object with what is known of it; went on without");
  const { meta, ...request } = readFields(given, REQUEST, (problem) => problems.push(problem));
  const known = meta && readMeta(meta, problems);
  return {
    request: known ? { ...request, meta: known } : request,
    issues: problems.map(invalidRequest),
  };
}

/** However many entries are wrong, it is one problem. */
function readMeta(meta: unknown, problems: string[]): PruneRequest["meta"] {
  const wrong: string[] = [];
  try {
    const entries = Array.from(meta as ArrayLike<unknown>, (entry, i) =>
      readEntry(entry, (problem) => wrong.push(`meta[${i}]${problem}`)),
    );
    const [first, ...others] = wrong;
    if (first !== undefined)
      problems.push(others.length > 0 ? `${first} (and ${others.length} more)` : first);
    return entries;
  } catch {
    problems.push("meta: expected a list, and it can't be read; left out");
    return undefined;
  }
}

function readEntry(entry: unknown, report: (problem: string) => void): MessageMeta | undefined {
  if (entry === undefined) return undefined;
  if (typeof entry !== "object" || entry === null) {
    report(": expected an object; left out");
    return undefined;
  }
  const { asked, ...rest } = readFields(entry, META, (problem) => report(`.${problem}`));
  return asked
    ? { ...rest, asked: readFields(asked, ASKED, (problem) => report(`.asked.${problem}`)) }
    : rest;
}
