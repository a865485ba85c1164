import type { Asked, DecodedMessage } from "../transcript/message.ts";
import type { Boundary } from "./fold.ts";
import type { Policy } from "./policy.ts";
import type { PruneRequest } from "./prune-request.ts";

/** The input of one `prune` call. */
export interface Given {
  readonly messages: readonly DecodedMessage[];
  readonly request: PruneRequest;
  readonly policy: Policy;
  /** The model that is about to be asked. */
  readonly model: string | undefined;
}

/** What is known of a boundary's request besides its messages. */
type Terms = Pick<Boundary, "profile" | "window" | "time" | "asked" | "assumed">;

/**
 * The terms of the request with the messages up to `end`, of which those from `from` on were new. For an older request
 * the `meta` of its response comes first, then what the messages say, then what the pruner was told when it was made
 * (`known`). For the newest request model and window are those given now; its time is the first that was given for it.
 */
export function findTerms(
  given: Given,
  [from, end]: readonly [from: number, end: number],
  known: Asked | undefined,
): Terms {
  const { messages, request, policy } = given;
  const answer = messages[end];
  const told = answer?.asked;
  const stated = answer && known ? known : { model: given.model, window: request.window };
  const time =
    told?.time ?? newestTime(messages, from, end) ?? known?.time ?? (answer ? undefined : request.at);
  const model = told ? told.model : nameModel(answer?.model, stated.model, policy);
  const window = told ? told.window : stated.window;
  const profile = policy.profileFor(model);
  const asked: Asked = {
    ...(time !== undefined && { time }),
    ...(model !== undefined && { model }),
    ...(window !== undefined && { window }),
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

/**
 * Terms that an earlier request of the session came with and the newest does not: `["model"]`. After a restart they
 * would not be known.
 */
export function listLeftOut({ messages, request, model }: Given, before: Asked): readonly string[] {
  return [
    ...(before.model !== undefined && model === undefined ? ["model"] : []),
    ...(before.window !== undefined && request.window === undefined ? ["window"] : []),
    ...(before.time !== undefined && request.at === undefined && messages.at(-1)?.time === undefined
      ? ["at"]
      : []),
  ];
}

/** Does the newest request come with terms that are unknown for this older one, so that they have to be assumed? */
function lacksTerms({ messages, request }: Given, end: number): boolean {
  const lacksTime = request.at !== undefined && messages[end - 1]?.time === undefined;
  const lacksModel = request.model !== undefined && messages[end]?.model === undefined;
  return lacksTime || lacksModel || request.window !== undefined;
}

function newestTime(messages: readonly DecodedMessage[], from: number, end: number): number | undefined {
  let newest: number | undefined;
  for (let i = from; i < end; i++) {
    const time = messages[i]?.time;
    if (time !== undefined && (newest === undefined || time > newest)) newest = time;
  }
  return newest;
}
