import { useEffect, useState } from "preact/hooks";
import type { LiveRequest } from "../../dashboard-data.ts";
import { toAddress } from "../../session-address.ts";
import { mergeRequests } from "./merge-requests.ts";
import type { Feed } from "./use-board.ts";

/** The requests of one session: earlier ones are fetched, later ones arrive as events. */
export function useRequests(
  { listen, snapshots }: Feed,
  id: string | undefined,
  isLive: boolean,
): readonly LiveRequest[] {
  const [requests, setRequests] = useState<readonly LiveRequest[]>([]);
  useEffect(() => {
    setRequests([]);
    if (id === undefined || !isLive) return;
    const gone = new AbortController();
    const take = (changed: readonly LiveRequest[]): void =>
      setRequests((known) => mergeRequests(known, changed));
    const end = listen((session, changed) => session === id && take(changed));
    fetch(`coppice/sessions/${toAddress(id)}/requests`, { signal: gone.signal, cache: "no-store" })
      .then((response) => (response.ok ? response.json() : []))
      .then(take)
      // The page shows that the proxy is gone, and fetches again when it is back.
      .catch(() => {});
    return () => {
      gone.abort();
      end();
    };
  }, [id, isLive, snapshots]);
  return requests;
}
