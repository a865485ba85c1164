import pc from "picocolors";
import type { Analysis } from "../analysis/sum-analyses.ts";
import { formatAnalysis } from "./format-analysis.ts";

const VIEW = { zone: "UTC", today: "", top: 10, groups: [], months: [] };
const CANVAS = { columns: 120, isTerminal: false, paint: pc.createColors(false) };

/** The start page of many reports: the analysis as it shows on a terminal, and links to the pages. */
export function renderIndex(analysis: Analysis, pages: ReadonlyMap<string, string>): string {
  const links = [...pages].map(
    ([path, page]) => `<li><a href="${encodeURIComponent(page)}">${escapeHtml(path)}</a></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Coppice reports</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem } pre { overflow-x: auto }</style>
</head>
<body>
<main>
<h1>Coppice reports</h1>
<h2>Worst sessions first</h2>
<ol>
${links.join("\n")}
</ol>
<h2>All sessions</h2>
<pre tabindex="0">${escapeHtml(formatAnalysis(analysis, VIEW, CANVAS))}</pre>
</main>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
