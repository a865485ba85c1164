import type { BuiltIn } from "./built-in.ts";
import { onIn } from "./pass-setting.ts";
import { type SupersedeOptions, supersedeSeries } from "./replacing/supersede.ts";

/**
 * Keeps only the newest fetch of a url and the newest web search for a query.
 *
 *   fetch https://a.org/x#top | fetch https://a.org:443/x   ->  first result replaced
 *   fetch https://a.org/x     | fetch https://a.org/y       ->  nothing: different pages
 */
export const sources: BuiltIn<SupersedeOptions> = {
  name: "sources",
  mechanism: "url",
  flag: {
    key: "pruneSourceUrls",
    description: "A newer fetch of the same url, or the same web search, replaces the older one.",
    presets: onIn("compact", "balanced"),
  },
  facts: ["sources"],
  optionsFor: ({ pruneToolInputs }) => ({ pruneToolInputs }),
  propose: (step, facts, options) =>
    supersedeSeries(
      step,
      facts,
      facts.series("sources"),
      ({ use }) => (use.url === undefined ? "newer search" : "newer fetch"),
      options,
    ),
};
