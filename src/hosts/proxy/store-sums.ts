import { costOfUsage } from "../../schedule/usage-cost.ts";
import type { RequestSums, Store } from "../../stores/store.ts";
import { isCounted, isCut, measureDollars, measureTokens, profileOf } from "./measure-request.ts";
import type { Service } from "./service.ts";
import type { SentRequest, WatchedAnswer } from "./watcher.ts";

export interface SumsOptions {
  /** Are conversations held out for comparison? */
  readonly hasHoldout: boolean;
  /** The folder that a session works in, if known. */
  readonly folderOf: (session: string) => string | undefined;
}

/** Adds every answered request to the totals of its session and its day. Refused requests cost nothing. */
export function storeSums(store: Store, options: SumsOptions): Service {
  return {
    answered(sent, answered) {
      // A store that hosts open never rejects.
      if (answered.answer && isCounted(sent)) void store.addRequest(sumsOf(sent, answered, options));
    },
  };
}

function sumsOf(
  sent: SentRequest,
  answered: WatchedAnswer,
  { hasHoldout, folderOf }: SumsOptions,
): RequestSums {
  const { session, time, client, isHeldOut } = sent;
  const { answer } = answered;
  const tokens = measureTokens(sent, answered);
  const dollars = measureDollars(sent, answered);
  const model = answer?.model ?? sent.request.model;
  const folder = folderOf(session);
  const cost = answer?.usage && costOfUsage(answer.usage, profileOf(sent, answered));
  return {
    session,
    time,
    tokensWith: tokens.with,
    tokensWithout: tokens.without,
    cuts: isCut(sent, answered) ? 1 : 0,
    work: sent.report.work.newest,
    ...(client !== undefined && { client }),
    ...(model !== undefined && { model }),
    ...(folder !== undefined && { folder }),
    ...(dollars && { costWith: dollars.with, costWithout: dollars.without }),
    ...(answer?.usage && { usage: answer.usage }),
    ...(cost !== undefined && { cost }),
    ...(hasHoldout && { arm: isHeldOut ? "heldOut" : "pruned" }),
  };
}
