import type { JSX } from "preact";
import type { LiveRequest } from "../../dashboard-data.ts";
import { countOf } from "../format.ts";

const CELL = 10;
const GAP = 2;
/** If there are more, shows the newest. */
const CELLS = 120;

type Verdict = NonNullable<LiveRequest["cache"]> | "unknown";

const WORDS: Readonly<Record<Verdict, string>> = {
  hit: "hit",
  miss: "miss: it should have been there",
  new: "nothing to find: a first request, a cut or a pause",
  unknown: "the provider did not report it",
};

/** Hits and misses, request by request: a miss is also lower, for readers who see no colours. */
export function CacheStrip({ requests }: { readonly requests: readonly LiveRequest[] }): JSX.Element {
  const shown = requests.filter(({ state }) => state === "answered").slice(-CELLS);
  const count = (kind: LiveRequest["cache"]): number => shown.filter(({ cache }) => cache === kind).length;
  const label = `Cache of the last ${countOf(shown.length, "request")}: ${countOf(count("hit"), "hit")}, ${countOf(count("miss"), "miss", "misses")}.`;
  return (
    <>
      <ul class="legend">
        <li class="key-hit">hit</li>
        <li class="key-miss">miss</li>
        <li class="key-new">nothing to find there</li>
      </ul>
      <div class="cells" role="img" aria-label={label}>
        {shown.map(({ number, cache, cached = 0, pruned }) => (
          <svg key={number} width={CELL + GAP} height={26} aria-hidden="true">
            <title>{`Request ${number}: ${WORDS[cache ?? "unknown"]}, ${Math.round((100 * cached) / Math.max(1, pruned))}% from the cache`}</title>
            <rect class="cell-ground" width={CELL} height={26} rx={2} />
            <rect
              class={`cell-${cache ?? "unknown"}`}
              y={26 - Math.max(4, (26 * cached) / Math.max(1, pruned))}
              width={CELL}
              height={Math.max(4, (26 * cached) / Math.max(1, pruned))}
              rx={2}
            />
          </svg>
        ))}
      </div>
    </>
  );
}
