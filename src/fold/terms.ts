import { profileCachedFor } from "../models/profile-for.ts";
import type { DecodedMessage, RequestTerms } from "../transcript/message.ts";
import type { RequestInput } from "./fold.ts";
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
  /** The model that is about to be asked. */
  readonly model: string | undefined;
}

/** What a boundary is reckoned with beside its messages. */
export type ResolvedTerms = Pick<RequestInput, "profile" | "window" | "time" | "terms" | "isAssumed">;

/**
 * The terms of the request with the messages up to `end`, of which those from `from` on were new. For an older request
 * the `meta` of its response comes first, then what the messages say, then what the pruner was told when it was made
 * (`known`). For the newest request model and window are those given now; its time is the first that was given for it.
 */
export function findTerms(
  args: PruneArguments,
  [from, end]: readonly [from: number, end: number],
  known: Pick<RequestRow, "terms" | "answeredBy"> | undefined,
): ResolvedTerms {
  const { messages, request, policy } = args;
  const answer = messages[end];
  const metaTerms = answer?.terms;
  const stated = answer && known ? known.terms : { ...request, model: args.model };
  const time =
    metaTerms?.time ??
    newestTime(messages, from, end) ??
    known?.terms.time ??
    (answer ? undefined : request.at);
  const answeredBy = answer && (answer.model ?? known?.answeredBy);
  const model = metaTerms ? metaTerms.model : nameModel(answeredBy, stated.model, policy);
  const { window, prefixTokens, overheadTokens, ttl, marks, mayMark, clears } = metaTerms ?? stated;
  const { warmedAt } = metaTerms ?? known?.terms ?? (answer ? {} : request);
  const profile = profileCachedFor(policy.profileFor(model), ttl);
  // Field by field: spreads would take most of the time, and it is asked several times with every request.
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
  const isAssumed = answer !== undefined && !metaTerms && !known && lacksTerms(args, end);
  return { profile, window: window ?? policy.window ?? profile.window, time, terms, isAssumed };
}

/** The model that has answered. If it is the one asked for, by the name asked for: that may say more (`…[1m]`). */
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

/** Terms that are about the request itself: nothing in the messages can tell them. */
const STATED = ["window", "prefixTokens", "overheadTokens", "ttl", "clears"] as const;

/**
 * Terms that an earlier request of the session came with and the newest does not: `["model"]`. After a restart they
 * would not be known.
 */
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

/** Does the newest request come with terms that are unknown for this older one, so that they have to be assumed? */
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
