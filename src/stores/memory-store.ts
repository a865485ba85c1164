import { addWork, NO_WORK } from "../facts/work-counts.ts";
import type { Usage } from "../transcript/message.ts";
import { nameAnswer, storablePing, storableRequest, storableRow, storableText } from "./storable.ts";
import type { DayRow, JournalRow, RequestSums, SessionRow, Store, Sums } from "./store.ts";

/** About 300 bytes each. Beyond this, the oldest are deleted. */
const REQUESTS_KEPT = 50_000;
const SESSIONS_KEPT = 10_000;

/** A store that lasts as long as the process. */
export function memoryStore(): Store {
  const requests = new Map<string, JournalRow>();
  const sessions = new Map<string, SessionRow>();
  const days = new Map<string, DayRow>();
  let isClosed = false;

  /** Nothing here waits, but a store's methods must reject and not throw. */
  async function whileOpen<T>(work: () => T): Promise<T> {
    if (isClosed) throw new Error("The store is closed.");
    return work();
  }

  return {
    readRequests: (keys) =>
      whileOpen(() =>
        [...new Set(keys)].flatMap((key) => {
          const row = requests.get(storableText(key));
          return row ? { ...row, key } : [];
        }),
      ),
    writeRequest: (newRow) =>
      whileOpen(() => {
        const row = storableRow(newRow);
        const known = requests.get(row.key);
        requests.set(row.key, { ...row, ...known, terms: { ...row.terms, ...known?.terms } });
        dropFirst(requests, REQUESTS_KEPT);
      }),
    writeAnswer: (key, answer) =>
      whileOpen(() => {
        const known = requests.get(storableText(key));
        if (known) requests.set(known.key, { ...nameAnswer(answer), ...known });
      }),
    addRequest: (newRow) =>
      whileOpen(() => {
        const request = storableRequest(newRow);
        const { session: id, day } = request;
        const session = addToSession(sessions.get(id), request);
        sessions.delete(id);
        sessions.set(id, session);
        dropFirst(sessions, SESSIONS_KEPT);
        days.set(day, { day, ...addToSums(days.get(day), request) });
      }),
    addPing: (newRow) =>
      whileOpen(() => {
        const { session: id, day, cost } = storablePing(newRow);
        const session = sessions.get(id);
        if (session) sessions.set(id, { ...session, ...addPing(session, cost) });
        days.set(day, { day, ...addPing(days.get(day) ?? NO_SUMS, cost) });
      }),
    listSessions: ({ since = -Infinity, limit = Infinity } = {}) =>
      whileOpen(() =>
        [...sessions.values()]
          .filter(({ lastAt }) => lastAt >= since)
          .sort((a, b) => b.lastAt - a.lastAt || (a.id < b.id ? -1 : 1))
          .slice(0, limit),
      ),
    listDays: ({ from = "", to = "9999-12-31" } = {}) =>
      whileOpen(() =>
        [...days.values()]
          .filter(({ day }) => day >= from && day <= to)
          .sort((a, b) => (a.day < b.day ? -1 : 1)),
      ),
    async close() {
      isClosed = true;
    },
  };
}

function addToSession(known: SessionRow | undefined, request: RequestSums): SessionRow {
  const { session: id, time, client, model, folder } = request;
  const named = {
    ...(client !== undefined && { client }),
    ...(model !== undefined && { model }),
    ...(folder !== undefined && { folder }),
  };
  const sums = addToSums(known, request);
  if (!known) return { id, ...named, startedAt: time, lastAt: time, ...sums };
  return {
    ...(time >= known.lastAt ? { ...known, ...named } : { ...named, ...known }),
    startedAt: Math.min(known.startedAt, time),
    lastAt: Math.max(known.lastAt, time),
    ...sums,
  };
}

function addToSums(known: Sums | undefined, request: RequestSums): Sums {
  const { costWith, costWithout } = request;
  const usage = addUsage(known?.usage, request.usage);
  const isPriced = costWith !== undefined && costWithout !== undefined;
  return {
    requests: (known?.requests ?? 0) + 1,
    tokensWith: (known?.tokensWith ?? 0) + request.tokensWith,
    tokensWithout: (known?.tokensWithout ?? 0) + request.tokensWithout,
    priced: (known?.priced ?? 0) + (isPriced ? 1 : 0),
    ...(isPriced
      ? {
          costWith: (known?.costWith ?? 0) + costWith,
          costWithout: (known?.costWithout ?? 0) + costWithout,
        }
      : known?.costWith !== undefined &&
        known.costWithout !== undefined && { costWith: known.costWith, costWithout: known.costWithout }),
    answered: (known?.answered ?? 0) + (request.usage ? 1 : 0),
    ...(usage && { usage }),
    ...addCost(known, request.cost),
    paid: (known?.paid ?? 0) + (request.cost === undefined ? 0 : 1),
    pings: known?.pings ?? 0,
    arms: {
      pruned: (known?.arms.pruned ?? 0) + (request.arm === "pruned" ? 1 : 0),
      heldOut: (known?.arms.heldOut ?? 0) + (request.arm === "heldOut" ? 1 : 0),
    },
    cuts: (known?.cuts ?? 0) + request.cuts,
    work: addWork([known?.work ?? NO_WORK, request.work ?? NO_WORK]),
  };
}

const NO_SUMS: Sums = {
  ...{ requests: 0, tokensWith: 0, tokensWithout: 0, priced: 0, answered: 0, paid: 0, pings: 0, cuts: 0 },
  arms: { pruned: 0, heldOut: 0 },
  work: NO_WORK,
};

function addPing(known: Sums, cost: number | undefined): Sums {
  return { ...known, ...addCost(known, cost), pings: known.pings + 1 };
}

function addCost(known: Sums | undefined, cost: number | undefined): Pick<Sums, "cost"> {
  return cost === undefined && known?.cost === undefined ? {} : { cost: (known?.cost ?? 0) + (cost ?? 0) };
}

function addUsage(a: Usage | undefined, b: Usage | undefined): Usage | undefined {
  if (!a || !b) return a ?? b;
  return {
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
  };
}

/** Deletes the oldest entries until `kept` are left. */
function dropFirst(map: Map<string, unknown>, kept: number): void {
  for (const key of map.keys()) {
    if (map.size <= kept) return;
    map.delete(key);
  }
}
