import type { RequestSums, Store } from "../../stores/store.ts";
import { isCounted, measureDollars, measureTokens } from "./measure-request.ts";
import type { Service } from "./service.ts";
import type { AnsweredRequest, SentRequest } from "./watcher.ts";

/**
 * Adds every request that was answered to the sums of its session and its day. What was refused cost nothing.
 *
 * @param folderOf the folder that a session works in, where it is known
 */
export function storeSums(store: Store, folderOf: (session: string) => string | undefined): Service {
  return {
    answered(sent, answered) {
      // A store that is opened as hosts open it never rejects.
      if (answered.answer && isCounted(sent))
        void store.addRequest(sumsOf(sent, answered, folderOf(sent.session)));
    },
  };
}

function sumsOf(sent: SentRequest, { answer }: AnsweredRequest, folder: string | undefined): RequestSums {
  const { report, session, time, client, isHeldOut } = sent;
  const tokens = measureTokens(sent);
  const dollars = measureDollars(sent);
  const model = answer?.model ?? sent.request.model;
  return {
    session,
    time,
    tokensWith: tokens.with,
    tokensWithout: tokens.without,
    cuts: report.cut && !isHeldOut ? 1 : 0,
    ...(client !== undefined && { client }),
    ...(model !== undefined && { model }),
    ...(folder !== undefined && { folder }),
    ...(dollars && { costWith: dollars.with, costWithout: dollars.without }),
    ...(answer?.usage && { usage: answer.usage }),
  };
}
