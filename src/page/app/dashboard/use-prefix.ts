import { useEffect, useState } from "preact/hooks";
import type { SessionPrefix } from "../../../analysis/session-prefix.ts";
import { toAddress } from "../../session-address.ts";
import type { BoardSession } from "./board.ts";

/** The text before the first message of a session. It is fetched again after each of its answers. */
export function usePrefix(live: BoardSession | undefined, snapshots: number): SessionPrefix | undefined {
  const [found, setFound] = useState<{ readonly id: string; readonly prefix: SessionPrefix }>();
  const { id, requests = 0, underWay = 0 } = live ?? {};
  useEffect(() => {
    if (id === undefined) return;
    const gone = new AbortController();
    fetch(`coppice/sessions/${toAddress(id)}/prefix`, { signal: gone.signal, cache: "no-store" })
      .then((response) => (response.ok ? response.json() : null))
      .then((prefix: SessionPrefix | null) => setFound(prefix ? { id, prefix } : undefined))
      // The page shows that the proxy is gone, and fetches again when it is back.
      .catch(() => {});
    return () => gone.abort();
  }, [id, requests - underWay, snapshots]);
  return found?.id === id ? found?.prefix : undefined;
}
