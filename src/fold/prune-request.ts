import type { Issue } from "../basics/issue.ts";
import {
  COUNT,
  type Field,
  type FieldChecks,
  FLAG,
  invalidRequest,
  readFields,
  SIZE,
  TEXT,
  TIME,
} from "../basics/read-fields.ts";
import { FORMAT } from "../formats/detect.ts";
import type { FormatChoice } from "../formats/format.ts";
import { CACHE_MARKS_SHAPE, type CacheMark, isCacheMarks } from "../transcript/cache-mark.ts";
import { CLEARING_RULE_SHAPE, type ClearingRule, isClearingRule } from "../transcript/clearing-rule.ts";
import type { MessageMeta, RequestTerms, Usage } from "../transcript/message.ts";
import type { SessionStatus } from "../transcript/session-command.ts";

/**
 * The facts that a host knows of the request that it is about to send.
 *
 * `model`, `window`, `prefixTokens`, `overheadTokens`, `ttl`, `clears` and `at` belong to this request. The cuts also
 * depend on these terms of all earlier requests. A pruner remembers them. After a restart they must come from the
 * messages, from `meta` (`meta[i] = { terms: report.terms }`, with the report of the request that message `i` answers)
 * or from a journal (`open`, `learn`). Otherwise the terms of the newest request are used instead, and the report says
 * so (`history-assumed`): the messages may then differ from those that were sent before. A term that one request has,
 * all must have; the report names the terms that are missing. `carried`, `subagent` and `status` must be the same in
 * all calls of a session.
 */
export interface PruneRequest {
  /** Keeps conversations apart. Hosts with only one conversation may leave it out. */
  readonly session?: string;
  readonly model?: string;
  /** Overrides the model's window, in tokens. */
  readonly window?: number;
  /** Tokens of the system prompt and the tools of this request. Default: the pruner's options. */
  readonly prefixTokens?: number;
  /** Tokens that Coppice's own tools and system text add to that. Default: the pruner's options. */
  readonly overheadTokens?: number;
  /** How long this request asks the provider to keep its prefix, in milliseconds, if that is longer than usual. */
  readonly ttl?: number;
  /**
   * The places of this request's cache marks, for providers that cache at marks. Default: one before the first
   * message and one at the end. An empty list: nothing is cached.
   */
  readonly marks?: readonly CacheMark[];
  /** The host sets one more cache mark for Coppice if `report.mark` requests it. */
  readonly mayMark?: true;
  /**
   * The rule by which this request asks the provider to clear old results itself. Coppice does not cut those results
   * too.
   */
  readonly clears?: ClearingRule;
  /**
   * The messages' format, if the pruner is used for several. Default: the format in its options, or else the format
   * that is detected.
   */
  readonly format?: FormatChoice;
  /**
   * A client's own question (a title, a summary of the session): nothing new is cut for it, and its messages have no
   * tags.
   */
  readonly quiet?: boolean;
  /**
   * The time of the newest input, in milliseconds, for formats whose messages have no times. If a request is
   * repeated, its first time counts.
   */
  readonly at?: number;
  /**
   * The time when the host last sent the previous request again, to keep its prefix cached. As with `at`, the first
   * value for a request counts.
   */
  readonly warmedAt?: number;
  /** The number of first messages that a host's compaction has kept or made: none was sent in this form before. */
  readonly carried?: number;
  /** Times, usage and models that the messages themselves do not have, by message index. */
  readonly meta?: readonly (MessageMeta | undefined)[];
  /** A subagent's session is pruned, but gets no reminders. */
  readonly subagent?: boolean;
  /** The status of Coppice before the first message, if a host's compaction has removed the command that set it. */
  readonly status?: SessionStatus;
}

const USAGE: FieldChecks<Usage> = {
  input: COUNT,
  cacheRead: COUNT,
  cacheWrite: COUNT,
  longWrite: COUNT,
  output: COUNT,
};
const FIGURES = Object.entries(USAGE);

export function isUsage(value: unknown): value is Usage {
  return (
    typeof value === "object" &&
    value !== null &&
    FIGURES.every(([name, { fits }]) => {
      const figure = Reflect.get(value, name);
      return fits(figure) || (name === "longWrite" && figure === undefined);
    })
  );
}

const CLEARS: Field = { expected: CLEARING_RULE_SHAPE, fits: isClearingRule };

const MARKS: Field = { expected: CACHE_MARKS_SHAPE, fits: isCacheMarks };

const TERMS: FieldChecks<RequestTerms> = {
  time: TIME,
  model: TEXT,
  window: SIZE,
  prefixTokens: COUNT,
  overheadTokens: COUNT,
  ttl: SIZE,
  marks: MARKS,
  mayMark: FLAG,
  warmedAt: TIME,
  clears: CLEARS,
};

const META: FieldChecks<MessageMeta> = {
  time: TIME,
  cost: COUNT,
  model: TEXT,
  terms: {
    expected: `{ ${Object.keys(TERMS).join(", ")} }`,
    fits: (value) => typeof value === "object" && value !== null,
  },
  cleared: {
    expected: "a list of call ids",
    fits: (value) => Array.isArray(value) && value.every((id) => typeof id === "string"),
  },
  usage: {
    // An explicit `undefined` hides the message's own usage.
    takesNothing: true,
    expected: `{ ${FIGURES.map(([name]) => name).join(", ")} }, each a number ≥ 0`,
    fits: isUsage,
  },
};

const STATUS: Field = {
  expected: '"on", "off" or "shadow"',
  fits: (value) => value === "on" || value === "off" || value === "shadow",
};

const REQUEST: FieldChecks<PruneRequest> = {
  session: TEXT,
  model: TEXT,
  window: SIZE,
  prefixTokens: COUNT,
  overheadTokens: COUNT,
  ttl: SIZE,
  marks: MARKS,
  mayMark: FLAG,
  clears: CLEARS,
  format: FORMAT,
  quiet: FLAG,
  at: TIME,
  warmedAt: TIME,
  carried: COUNT,
  meta: { expected: "a list", fits: Array.isArray },
  subagent: FLAG,
  status: STATUS,
};

export interface ReadRequest {
  readonly request: PruneRequest;
  readonly issues: readonly Issue[];
}

/** Checks a request. A bad field is left out and reported. Never throws. */
export function readRequest(value: unknown): ReadRequest {
  const problems: string[] = [];
  if (typeof value !== "object" || value === null) problems.push("the request: expected an object; ignored");
  const { meta, ...request } = readFields(value, REQUEST, (problem) => problems.push(problem));
  const known = meta && readMeta(meta, problems);
  return {
    request: known ? { ...request, meta: known } : request,
    issues: problems.map(invalidRequest),
  };
}

/** All bad entries together are reported as one problem. */
function readMeta(meta: unknown, problems: string[]): PruneRequest["meta"] {
  const wrong: string[] = [];
  const entries: (MessageMeta | undefined)[] = [];
  const report = (problem: string) => wrong.push(`meta[${entries.length}]${problem}`);
  try {
    for (const entry of Array.from(meta as ArrayLike<unknown>)) entries.push(readEntry(entry, report));
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
  const read = readFields(entry, META, (problem) => report(`.${problem}`));
  return read.terms
    ? { ...read, terms: readFields(read.terms, TERMS, (problem) => report(`.terms.${problem}`)) }
    : read;
}
