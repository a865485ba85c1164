import { profileCachedFor } from "../models/profile-for.ts";
import type { DecodedMessage, RequestTerms } from "../transcript/message.ts";
import { sameValue } from "../transcript/same-value.ts";
import type { RequestInput } from "./advance.ts";
import type { Policy } from "./policy.ts";
import type { PruneRequest } from "./prune-request.ts";
import type { RequestRow } from "./request-memory.ts";

/** The input of one `prune` call. */
export interface PruneArguments {
  readonly messages: readonly DecodedMessage[];
  /** By count of messages: the key of a request that ends there. */
  readonly keys: readonly string[];
  readonly request: PruneRequest;
  readonly policy: Policy;
  /** The model that the request is sent to. */
  readonly model: string | undefined;
}

/** A request's inputs other than its messages. */
export type ResolvedTerms = Pick<RequestInput, "profile" | "window" | "time" | "terms" | "isAssumed">;

/** The records of an earlier request. */
export interface NotedRequest {
  /** Its row in the pruner's memory, which a journal may have filled. */
  readonly row: RequestRow | undefined;
  /** Its input when a fold advanced over it. */
  readonly input: RequestInput | undefined;
}

/**
 * The terms of the request with the messages up to `end`, of which those from `from` on were new. The first source that
 * knows a term wins.
 *
 * An older request:
 *   1. the `meta` of its response, if it has any: then it decides everything but the profile
 *   2. its messages: the time of its newest input, the model that answered
 *   3. the input that a fold had for it, unless its terms were assumed
 *   4. its row in the memory
 *   5. the newest request: its terms are assumed, and the report says so
 *
 * The newest request:
 *   1. for the time: its messages, then its row (a retry keeps the first time), then the request
 *   2. for everything else: the request
 */
export function findTerms(
  args: PruneArguments,
  [from, end]: readonly [from: number, end: number],
  noted: NotedRequest,
): ResolvedTerms {
  const { messages, request, policy } = args;
  const answer = messages[end];
  const meta = answer?.terms;
  const known = knownTerms(noted);
  const stated = answer && known ? known : { ...request, model: args.model };
  const time =
    meta?.time ?? newestTime(messages, from, end) ?? known?.time ?? (answer ? undefined : request.at);
  const answeredBy = answer && (answer.model ?? noted.row?.answeredBy);
  const model = meta ? meta.model : nameModel(answeredBy, stated.model, policy);
  const { window, prefixTokens, overheadTokens, ttl, marks, mayMark, clears } = meta ?? stated;
  const { warmedAt } = meta ?? known ?? (answer ? {} : request);
  const profile = profileCachedFor(policy.profileFor(model), ttl);
  // Field by field: spreads would take most of the time, and this runs several times for every request.
  const terms: { -readonly [K in keyof RequestTerms]: RequestTerms[K] } = {};
  if (time !== undefined) terms.time = time;
  if (model !== undefined) terms.model = model;
  if (window !== undefined) terms.window = window;
  if (prefixTokens !== undefined) terms.prefixTokens = prefixTokens;
  if (overheadTokens !== undefined) terms.overheadTokens = overheadTokens;
  if (ttl !== undefined) terms.ttl = ttl;
  if (marks !== undefined) terms.marks = marks;
  if (mayMark) terms.mayMark = mayMark;
  if (warmedAt !== undefined) terms.warmedAt = warmedAt;
  if (clears !== undefined) terms.clears = clears;
  const isAssumed = answer !== undefined && !meta && !known && lacksTerms(args, end);
  return { profile, window: window ?? policy.window ?? profile.window, time, terms, isAssumed };
}

/** Sources 3 and 4. */
function knownTerms({ row, input }: NotedRequest): RequestTerms | undefined {
  return input && !(input.isAssumed && row) ? input.terms : row?.terms;
}

/** Did the request have these terms when the fold advanced over it? */
export function hadTerms(input: RequestInput, { profile, window, time, terms }: ResolvedTerms): boolean {
  return (
    profile.id === input.profile.id &&
    window === input.window &&
    time === input.time &&
    terms.prefixTokens === input.terms.prefixTokens &&
    terms.overheadTokens === input.terms.overheadTokens &&
    terms.ttl === input.terms.ttl &&
    terms.mayMark === input.terms.mayMark &&
    sameValue(terms.marks, input.terms.marks) &&
    terms.warmedAt === input.terms.warmedAt &&
    sameValue(terms.clears, input.terms.clears)
  );
}

/** The model that answered. If it is the requested one, by the requested name, which may have a suffix (`…[1m]`). */
function nameModel(
  answered: string | undefined,
  requestedModel: string | undefined,
  policy: Policy,
): string | undefined {
  if (answered === undefined || requestedModel === undefined || answered === requestedModel)
    return answered ?? requestedModel;
  return policy.profileFor(answered).plainId === policy.profileFor(requestedModel).plainId
    ? requestedModel
    : answered;
}

/** Terms that only a request states: the messages never have them. */
const STATED = ["window", "prefixTokens", "overheadTokens", "ttl", "clears"] as const;

/** Terms that an earlier request of the session had and the newest lacks: `["model"]`. A restart would lose them. */
export function listLeftOut(
  { messages, request, model }: PruneArguments,
  before: RequestTerms,
): readonly string[] {
  return [
    ...(before.model !== undefined && model === undefined ? ["model"] : []),
    ...STATED.filter((name) => before[name] !== undefined && request[name] === undefined),
    ...(before.time !== undefined && request.at === undefined && messages.at(-1)?.time === undefined
      ? ["at"]
      : []),
  ];
}

/** Does the newest request have terms that are unknown for this older one, so that they must be assumed? */
function lacksTerms({ messages, request }: PruneArguments, end: number): boolean {
  const lacksTime = request.at !== undefined && messages[end - 1]?.time === undefined;
  const lacksModel = request.model !== undefined && messages[end]?.model === undefined;
  return lacksTime || lacksModel || STATED.some((name) => request[name] !== undefined);
}

function newestTime(messages: readonly DecodedMessage[], from: number, end: number): number | undefined {
  let newest: number | undefined;
  for (let i = from; i < end; i++) {
    const time = messages[i]?.time;
    if (time !== undefined && (newest === undefined || time > newest)) newest = time;
  }
  return newest;
}
