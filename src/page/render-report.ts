import { createHash } from "node:crypto";
import type { PageAssets } from "./assets.ts";
import type { ReportData } from "./data.ts";

/**
 * One HTML file that needs nothing else. The data stands in a block that no browser runs; what runs is named by its hash,
 * and the page may load nothing.
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

/** JSON without any `<`: neither `</script>` nor `<!--` can end or change the block that it stands in. */
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

/** Our own bundle is put in as it is, so that its hash holds: it must not end its element. */
function checkInline(text: string, element: "script" | "style"): string {
  if (new RegExp(`</${element}|<!--`, "i").test(text))
    throw new RangeError(
      `The bundled ${element} contains its own end tag: build it with esbuild, which escapes it.`,
    );
  return text;
}
