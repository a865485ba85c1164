import type { LineFigures } from "../../../page/dashboard-data.ts";
import { addUpDays, dayOf } from "../../../page/day-sums.ts";
import { storableText } from "../../../stores/storable.ts";
import type { Store } from "../../../stores/store.ts";
import type { LiveSessions } from "../live/live-sessions.ts";
import { replyJson } from "../reply.ts";
import type { OwnPage } from "../service.ts";

export interface StatuslineOptions {
  readonly live: LiveSessions;
  readonly store: Store;
  readonly clock: () => number;
}

/**
 * `/coppice/statusline?session=ID`: the figures that `coppice statusline` shows. Clients request it after every
 * message, so it reads only one row of the store.
 */
export function statuslinePage({ live, store, clock }: StatuslineOptions): OwnPage {
  async function takeFigures(session: string): Promise<LineFigures> {
    const today = dayOf(clock());
    const { tokens, dollars } = addUpDays(await store.listDays({ from: today, to: today }));
    const figures = describeSession(live, storableText(session));
    return {
      name: "coppice",
      saved: {
        tokens: tokens.without - tokens.with,
        ...(dollars && { dollars: dollars.without - dollars.with }),
      },
      ...(figures && { session: figures }),
    };
  }

  return {
    methods: ["GET"],
    path: "/coppice/statusline",
    async handle(_, outgoing, path) {
      const session = new URL(path, "http://coppice").searchParams.get("session") ?? "";
      replyJson(outgoing, 200, await takeFigures(session));
    },
  };
}

function describeSession(live: LiveSessions, id: string): LineFigures["session"] {
  const session = live.find(id);
  if (!session || session.requests === 0) return undefined;
  const { raw, pruned } = session;
  const answered = live.requestsOf(id).findLast(({ state }) => state === "answered");
  return {
    raw,
    pruned,
    ...(answered?.cached !== undefined &&
      answered.pruned > 0 && { cached: answered.cached / answered.pruned }),
    ...(answered?.loss && { lost: answered.loss.cause }),
  };
}
