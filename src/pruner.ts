import { type AgentView, makeAgentView } from "./agent/agent-view.ts";
import { describeError, type Issue } from "./basics/issue.ts";
import { type Fields, invalidRequest, readFields } from "./basics/read-fields.ts";
import { type Rewritten, rewriteMessages } from "./edits/apply.ts";
import { advanceOver } from "./fold/advance-over.ts";
import { Fold } from "./fold/fold.ts";
import { makePolicy, type Policy, type PolicyOptions } from "./fold/policy.ts";
import { type PruneRequest, readRequest } from "./fold/prune-request.ts";
import { RequestMemory } from "./fold/request-memory.ts";
import { detectFormat, FORMAT_NAMES, formatByName } from "./formats/detect.ts";
import type { Format, FormatName, PlacedNote } from "./formats/format.ts";
import { decodeMessages } from "./intake/decode.ts";
import { makeEmptyReport, makeReport, type Report } from "./reports/report.ts";

export interface PrunerOptions extends PolicyOptions {
  /** Needed only where the format can't be told from the messages. */
  readonly format?: FormatName;
}

/**
 * What to send (a message without edits is the very same object), and what was done. A reminder that is a message of
 * its own is the last one and has no entry in `sources`.
 */
export interface PruneResult<M> extends Rewritten<M> {
  readonly report: Report;
}

export interface Pruner {
  /**
   * Must be called before every request with the full history. Synchronous, and never throws: messages that can't be
   * read are returned unchanged, and wrong fields of the request are left out, with an issue.
   */
  prune<M>(messages: readonly M[], request?: PruneRequest): PruneResult<M>;
  /** What the agent's tools answer from: the session as of its last request. */
  agentView(session?: string): AgentView | undefined;
}

const OPTIONS: Fields<Pick<PrunerOptions, "format">> = {
  format: {
    expected: FORMAT_NAMES.map((name) => JSON.stringify(name)).join(", "),
    fits: (value) => FORMAT_NAMES.some((name) => name === value),
  },
};

/** How many sessions' folds are kept in memory. An older session is folded again when it comes back. */
const SESSIONS_KEPT = 16;

/**
 * The whole of Coppice:
 *
 *   decode → recognise what was seen before → advance over each new boundary → rewrite
 *
 * A session's state is a pure function of the transcript and the policy. What is kept between calls is only a cache
 * of it: a retry, an undo, a fork and a restart give the same bytes.
 *
 * Never throws: what is wrong in the options is left out, and every report says so.
 */
export function createPruner(options: PrunerOptions = {}): Pruner {
  const problems: string[] = [];
  const own = readFields(options, OPTIONS, (problem) => problems.push(problem));
  const policy = makePolicy(options);
  const wrong = [...policy.issues, ...problems.map(invalidRequest)];
  const sessions = new Map<string, Fold>();
  const memory = new RequestMemory();

  function prune<M>(given: readonly M[], asked: PruneRequest = {}): PruneResult<M> {
    const { request, issues } = readRequest(asked);
    const result = pruneRead(given, request);
    const told = [...wrong, ...issues, ...result.report.issues];
    return { ...result, report: { ...result.report, issues: told } };
  }

  function pruneRead<M>(given: readonly M[], request: PruneRequest): PruneResult<M> {
    const name = request.session ?? "";
    const messages = readList(given);
    if (!messages) return notAList(given);
    try {
      const formatName = own.format ?? detectFormat(messages);
      if (!formatName) return { ...unchanged(messages), report: makeEmptyReport(unknownFormat(messages)) };
      const format = formatByName(formatName);
      const fold = takeSession(sessions, name, policy, memory);
      const decoded = decodeMessages(format, messages, request.meta, fold.messages);
      const model = request.model ?? decoded.findLast((message) => message.model !== undefined)?.model;
      const issues = advanceOver(fold, { messages: decoded, request, policy, model }, memory);
      const made = makeReport(fold);
      const report = { ...made, issues: [...issues, ...made.issues] };
      if (report.status !== "on") return { ...unchanged(messages), report };
      const rewritten = rewriteMessages(fold.view, format, messages, decoded, fold.firstPart);
      return { ...addNote(rewritten, format, fold.advances.at(-1)?.note), report };
    } catch (error) {
      sessions.delete(name);
      const message = `nothing was pruned: ${describeError(error)}`;
      return {
        ...unchanged(messages),
        report: makeEmptyReport({ code: "fold-failed", message, severity: "error" }),
      };
    }
  }

  function agentView(session = ""): AgentView | undefined {
    const fold = sessions.get(session);
    const last = fold?.advances.at(-1);
    return fold && last && makeAgentView(fold, policy, { ...last, profile: last.boundary.profile });
  }

  return { prune, agentView };
}

/**
 * The session's fold. The one that was not used for longest is dropped if there are too many; `memory` keeps its terms.
 */
function takeSession(sessions: Map<string, Fold>, name: string, policy: Policy, memory: RequestMemory): Fold {
  const fold = sessions.get(name) ?? new Fold(policy);
  sessions.delete(name);
  sessions.set(name, fold);
  const [oldest] = sessions;
  if (sessions.size > SESSIONS_KEPT && oldest) {
    memory.keep(...oldest);
    sessions.delete(oldest[0]);
  }
  return fold;
}

/** Adds the reminder at the very end, so that the cached prefix does not change. */
function addNote<M>(rewritten: Rewritten<M>, format: Format, note: string | undefined): Rewritten<M> {
  if (note === undefined) return rewritten;
  const { messages, added } = format.placeNote(rewritten.messages, note) as PlacedNote<M>;
  return { ...rewritten, messages, note: added };
}

function unchanged<M>(messages: readonly M[]): Rewritten<M> {
  return { messages: [...messages], sources: [...messages.keys()] };
}

/** A copy of the list, without holes; `undefined` where it is no list or can't be read. */
function readList<M>(given: readonly M[]): readonly M[] | undefined {
  try {
    return Array.isArray(given) ? Array.from(given) : undefined;
  } catch {
    return undefined;
  }
}

/** For callers without types: what was given is returned as it is. */
function notAList<M>(given: readonly M[]): PruneResult<M> {
  const message = "prune takes a list of messages; what was given came back as it is";
  const report = makeEmptyReport({ code: "unreadable-input", message, severity: "error" });
  return { messages: given as M[], sources: [], report };
}

function unknownFormat(messages: readonly unknown[]): Issue {
  if (messages.length === 0)
    return { code: "empty-input", message: "there are no messages to prune", severity: "warning" };
  const message = `these messages are of no format that Coppice knows (${FORMAT_NAMES.join(", ")}); name one with \`format\``;
  return { code: "unknown-format", message, severity: "error" };
}
