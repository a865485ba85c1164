import { profileCachedFor } from "../models/profile-for.ts";
import type { Asked, DecodedMessage } from "../transcript/message.ts";
import type { Boundary } from "./fold.ts";
import type { Policy } from "./policy.ts";
import type { PruneRequest } from "./prune-request.ts";
import type { RequestRow } from "./request-memory.ts";

/** The input of one `prune` call. */
export interface Given {
  readonly messages: readonly DecodedMessage[];
  /** By count of messages: the key of a request that ends there. */
  readonly keys: readonly string[];
  readonly request: PruneRequest;
  readonly policy: Policy;
  /** The model that is about to be asked. */
  readonly model: string | undefined;
}

/** What a boundary is reckoned with beside its messages. */
export type Terms = Pick<Boundary, "profile" | "window" | "time" | "asked" | "assumed">;

/**
 * The terms of the request with the messages up to `end`, of which those from `from` on were new. For an older request
 * the `meta` of its response comes first, then what the messages say, then what the pruner was told when it was made
 * (`known`). For the newest request model and window are those given now; its time is the first that was given for it.
 */
export function findTerms(
  given: Given,
  [from, end]: readonly [from: number, end: number],
  known: Pick<RequestRow, "asked" | "answeredBy"> | undefined,
): Terms {
  const { messages, request, policy } = given;
  const answer = messages[end];
  const told = answer?.asked;
  const stated = answer && known ? known.asked : { ...request, model: given.model };
  const time =
    told?.time ?? newestTime(messages, from, end) ?? known?.asked.time ?? (answer ? undefined : request.at);
  const answeredBy = answer && (answer.model ?? known?.answeredBy);
  const model = told ? told.model : nameModel(answeredBy, stated.model, policy);
  const { window, prefixTokens, overheadTokens, ttl, marks, mayMark, clears } = told ?? stated;
  const { warmedAt } = told ?? known?.asked ?? (answer ? {} : request);
  const profile = profileCachedFor(policy.profileFor(model), ttl);
  const asked: Asked = {
    ...(time !== undefined && { time }),
    ...(model !== undefined && { model }),
    ...(window !== undefined && { window }),
    ...(prefixTokens !== undefined && { prefixTokens }),
    ...(overheadTokens !== undefined && { overheadTokens }),
    ...(ttl !== undefined && { ttl }),
    ...(marks !== undefined && { marks }),
    ...(mayMark && { mayMark }),
    ...(warmedAt !== undefined && { warmedAt }),
    ...(clears !== undefined && { clears }),
  };
  const assumed = answer !== undefined && !told && !known && lacksTerms(given, end);
  return { profile, window: window ?? policy.window ?? profile.window, time, asked, assumed };
}

/** The model that has answered. If it is the one asked for, by the name asked for: that may say more (`…[1m]`). */
function nameModel(
  answered: string | undefined,
  asked: string | undefined,
  policy: Policy,
): string | undefined {
  if (answered === undefined || asked === undefined || answered === asked) return answered ?? asked;
  return policy.profileFor(answered).plainId === policy.profileFor(asked).plainId ? asked : answered;
}

/** Terms that are about the request itself: nothing in the messages can tell them. */
const STATED = ["window", "prefixTokens", "overheadTokens", "ttl", "clears"] as const;

/**
 * Terms that an earlier request of the session came with and the newest does not: `["model"]`. After a restart they
 * would not be known.
 */
export function listLeftOut({ messages, request, model }: Given, before: Asked): readonly string[] {
  return [
    ...(before.model !== undefined && model === undefined ? ["model"] : []),
    ...STATED.filter((name) => before[name] !== undefined && request[name] === undefined),
    ...(before.time !== undefined && request.at === undefined && messages.at(-1)?.time === undefined
      ? ["at"]
      : []),
  ];
}

/** Does the newest request come with terms that are unknown for this older one, so that they have to be assumed? */
function lacksTerms({ messages, request }: Given, end: number): boolean {
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
