import { createHash } from "node:crypto";
import type { PageAssets } from "./assets.ts";
import type { ReportData } from "./data.ts";

/**
 * One HTML file that needs nothing else. The data is in a block that browsers do not run. The page's policy allows only
 * the script and styles with the given hashes, and loads nothing.
 */
export function renderReport(data: ReportData, assets: PageAssets): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${writePolicy(assets)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(titleOf(data))}</title>
<style>${checkInline(assets.style, "style")}</style>
</head>
<body>
<div id="page"><p class="loading">This report needs JavaScript. It runs from this file alone and loads nothing.</p></div>
<script type="application/json" id="report">${escapeJson(data)}</script>
<script>${checkInline(assets.script, "script")}</script>
</body>
</html>
`;
}

function titleOf({ session }: ReportData): string {
  return `Coppice report: ${session.source}${session.id === undefined ? "" : ` ${session.id}`}`;
}

function writePolicy({ script, style, chartStyle }: PageAssets): string {
  return [
    "default-src 'none'",
    `script-src ${hashSource(script)}`,
    `style-src ${hashSource(style)} ${hashSource(chartStyle)}`,
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
function escapeJson(data: ReportData): string {
  return JSON.stringify(data).replaceAll("<", "\\u003c");
}

function escapeHtml(text: string): string {
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
