import { createHash } from "node:crypto";
import type { PageAssets } from "./assets.ts";

export interface PageContent {
  readonly title: string;
  /** Shown if scripts do not run. */
  readonly loading: string;
  /** JSON for the script, and the id of its block. */
  readonly data?: { readonly id: string; readonly value: unknown };
  /** May the script send requests to the page's own server? */
  readonly mayAsk?: boolean;
}

/**
 * One HTML file that needs nothing else. Data is in a block that browsers do not run. The page's policy allows only the
 * script and styles with the given hashes, and loads nothing.
 */
export function renderPage(
  { title, loading, data, mayAsk = false }: PageContent,
  assets: PageAssets,
): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${writePolicy(assets, mayAsk)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${checkInline(assets.style, "style")}</style>
</head>
<body>
<div id="page"><p class="loading">${escapeHtml(loading)}</p></div>
${data ? `<script type="application/json" id="${data.id}">${escapeJson(data.value)}</script>\n` : ""}<script>${checkInline(assets.script, "script")}</script>
</body>
</html>
`;
}

function writePolicy({ script, style, chartStyle }: PageAssets, mayAsk: boolean): string {
  return [
    "default-src 'none'",
    `script-src ${hashSource(script)}`,
    `style-src ${hashSource(style)} ${hashSource(chartStyle)}`,
    ...(mayAsk ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

/** JSON without any `<`, so that no `</script>` or `<!--` can end its block. */
function escapeJson(data: unknown): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Our own bundle is not escaped, so that its hash stays valid: it must not contain the end of its element. */
function checkInline(text: string, element: "script" | "style"): string {
  if (new RegExp(`</${element}|<!--`, "i").test(text))
    throw new RangeError(
      `The bundled ${element} contains its own end tag: build it with esbuild, which escapes it.`,
    );
  return text;
}
