import type { ToolKindEntry } from "../tool-kind-entry.ts";

/** Tools that access the network. */
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
  // Its path is in a repository on a server.
  {
    names: ["get_file_contents"],
    kind: "read",
    path: [],
    range: {},
    identifying: ["owner", "repo", "path", "ref"],
  },
  // Playwright, Chrome DevTools, Claude in Chrome. OpenCode puts the server's name before a tool's.
  {
    names: [
      ...["browser_snapshot", "*_browser_snapshot", "take_snapshot", "chrome*_take_snapshot", "read_page"],
    ],
    kind: "other",
    snapshot: "page",
    identifying: ["ref", "target", "selector", "uid", "page_id", "tab_id", "depth", "filter"],
  },
  {
    names: [
      ...["browser_take_screenshot", "*_browser_take_screenshot", "browser_screen_capture"],
      ...["take_screenshot", "chrome*_take_screenshot", "puppeteer_screenshot", "mobile_take_screenshot"],
    ],
    kind: "other",
    snapshot: "screen",
    identifying: ["ref", "target", "selector", "uid", "page_id", "tab_id", "device", "full_page"],
  },
  {
    names: ["mobile_list_elements_on_screen", "*_mobile_list_elements_on_screen"],
    kind: "other",
    snapshot: "elements",
    identifying: "device",
  },
  { names: ["browser", "browser_*", "computer", "navigate"], kind: "other" },
];
