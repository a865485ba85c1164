import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { Changes, LiveRequest, Snapshot } from "../../dashboard-data.ts";
import { applyChanges, type Board, takeSnapshot } from "./board.ts";

/** `waiting`: not connected yet, or disconnected; the page tries again. */
export type Link = "waiting" | "live";

export interface Feed {
  readonly board: Board | undefined;
  readonly link: Link;
  /** Counts snapshots: data that was fetched separately must be fetched again after each. */
  readonly snapshots: number;
  /** Calls the listener with requests of sessions as they change. Returns the function that removes it. */
  readonly listen: (listener: RequestListener) => () => void;
}

type RequestListener = (session: string, changed: readonly LiveRequest[]) => void;

/** The proxy sends a keep-alive message every 15 seconds. */
const SILENCE = 40_000;
const TRY_AGAIN = 2_000;

/** Listens to the proxy while the page is visible: a browser opens only a few connections to one server. */
export function useBoard(): Feed {
  const [board, setBoard] = useState<Board>();
  const [link, setLink] = useState<Link>("waiting");
  const [snapshots, count] = useState(0);
  const listeners = useRef(new Set<RequestListener>());
  useEffect(() => {
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const close = (): void => {
      clearTimeout(timer);
      source?.close();
      source = undefined;
    };
    const openIn = (delay: number): void => {
      close();
      setLink("waiting");
      timer = setTimeout(open, delay);
    };
    const hear = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => openIn(0), SILENCE);
      setLink("live");
    };
    const open = (): void => {
      close();
      source = new EventSource("coppice/events");
      source.addEventListener("snapshot", ({ data }: MessageEvent<string>) => {
        hear();
        const snapshot = JSON.parse(data) as Snapshot;
        setBoard(takeSnapshot(snapshot, Date.now()));
        count((before) => before + 1);
      });
      source.addEventListener("changes", ({ data }: MessageEvent<string>) => {
        hear();
        const changes = JSON.parse(data) as Changes;
        setBoard((before) => before && applyChanges(before, changes, Date.now()));
        for (const { id, changed } of changes.sessions ?? [])
          for (const listener of listeners.current) listener(id, changed);
      });
      source.addEventListener("pulse", hear);
      // The browser itself tries again only after some failures, not after a refusal.
      source.addEventListener("error", () => openIn(TRY_AGAIN));
    };
    const look = (): void => {
      if (document.visibilityState === "hidden") close();
      else if (!source) openIn(0);
    };
    look();
    document.addEventListener("visibilitychange", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      close();
    };
  }, []);
  const listen = useCallback((listener: RequestListener) => {
    listeners.current.add(listener);
    return () => {
      listeners.current.delete(listener);
    };
  }, []);
  return { board, link, snapshots, listen };
}
