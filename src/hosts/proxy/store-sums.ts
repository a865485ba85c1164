import type { RequestSums, Store } from "../../stores/store.ts";
import type { Service } from "./service.ts";
import type { AnsweredRequest, SentRequest } from "./watcher.ts";

/** Adds every request that was answered to the sums of its session and its day. What was refused cost nothing. */
export function storeSums(store: Store): Service {
  return {
    answered(sent, answered) {
      // A store that is opened as hosts open it never rejects.
      if (answered.answer) void store.addRequest(sumsOf(sent, answered));
    },
  };
}

function sumsOf(sent: SentRequest, { answer }: AnsweredRequest): RequestSums {
  const { report, session, time, client, isHeldOut } = sent;
  const { before, after } = report.tokens;
  const prefix = report.asked.prefixTokens ?? 0;
  const { dollars } = report.bill.newest;
  const model = answer?.model ?? sent.request.model;
  return {
    session,
    time,
    tokensWith: prefix + (isHeldOut ? before : after),
    tokensWithout: prefix + before,
    cuts: report.cut && !isHeldOut ? 1 : 0,
    ...(client !== undefined && { client }),
    ...(model !== undefined && { model }),
    ...(dollars && {
      costWith: isHeldOut ? dollars.without : dollars.with,
      costWithout: dollars.without,
    }),
    ...(answer?.usage && { usage: answer.usage }),
  };
}
