import { type SupersedeOptions, supersedeSeries } from "./replacing/supersede.ts";
import type { Strategy } from "./strategy.ts";

/**
 * Keeps only the newest fetch of a url and the newest web search for a query.
 *
 *   fetch https://a.org/x#top | fetch https://a.org:443/x   ->  first result replaced
 *   fetch https://a.org/x     | fetch https://a.org/y       ->  nothing: different pages
 */
export const sources: Strategy<SupersedeOptions> = {
  name: "sources",
  mechanism: "url",
  propose: (step, facts, options) =>
    supersedeSeries(
      step,
      facts,
      facts.sources,
      ({ use }) => (use.url === undefined ? "newer search" : "newer fetch"),
      options,
    ),
};
