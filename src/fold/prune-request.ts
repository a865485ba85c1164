import type { Issue } from "../basics/issue.ts";
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
} from "../basics/read-fields.ts";
import type { Asked, MessageMeta, Usage } from "../transcript/message.ts";
import type { SessionStatus } from "../transcript/session-command.ts";

/**
 * What a host knows of the request that it is about to send.
 *
 * `model`, `window` and `at` are about this request. Those of the requests before it decide too what was cut when. A pruner
 * remembers them; after a restart they have to come from the messages or from `meta`, for every request:
 * `meta[i] = { asked: report.asked }` of the request that message `i` answers. Where they don't, the newest request's
 * stand in for them, and the report says so (`history-assumed`): its bytes may differ from what was sent before. What is
 * given with one request has to be given with all; the report names what this one leaves out.
 * `carried`, `subagent` and `standing` are the same in all calls of a session.
 */
export interface PruneRequest {
  /** Keeps conversations apart; hosts with one conversation leave it out. */
  readonly session?: string;
  readonly model?: string;
  /** Overrides the model's window, in tokens. */
  readonly window?: number;
  /** When the newest input came, in milliseconds, for formats whose messages carry no times. The first word on a request counts. */
  readonly at?: number;
  /** How many leading messages a host's compaction brought along: none of them was sent in this form before. */
  readonly carried?: number;
  /** Times, usage and models that the messages themselves do not carry, by index. */
  readonly meta?: readonly (MessageMeta | undefined)[];
  /** A subagent's session: it is pruned, and never reminded of anything. */
  readonly subagent?: boolean;
  /** How Coppice stood before the first message, where a host's compaction has taken away what said so. */
  readonly standing?: SessionStatus;
}

const USAGE: Fields<Usage> = { input: COUNT, cacheRead: COUNT, cacheWrite: COUNT, output: COUNT };
const FIGURES = Object.entries(USAGE);

const ASKED: Fields<Asked> = {
  time: TIME,
  model: TEXT,
  window: SIZE,
  prefixTokens: COUNT,
  overheadTokens: COUNT,
};

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
