import type { ToolKindEntry } from "../tool-kind-entry.ts";

/** Tools that ask the network. */
export const webTools: readonly ToolKindEntry[] = [
  { names: ["fetch", "fetch_url", "web_fetch", "fetch_webpage", "url_fetch", "scrape"], kind: "fetch" },
  {
    names: [
      "web_search",
      "search_web",
      "google_web_search",
      "code_search",
      "web_search_exa",
      "get_code_context_exa",
    ],
    kind: "web-search",
  },
  {
    names: ["web_search_call"],
    kind: "web-search",
    within: "action",
    kindBy: { field: "type", kinds: { open_page: "fetch", find_in_page: "search" } },
  },
  // A path of these is one in a repository on a server.
  {
    names: ["get_file_contents"],
    kind: "read",
    path: [],
    range: {},
    identifying: ["owner", "repo", "path", "ref"],
  },
  { names: ["browser", "browser_*", "computer", "navigate"], kind: "other" },
];
