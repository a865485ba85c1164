// Bundles the report page: page.js and page.css, and chart.css, the style that the chart library adds at run time.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { dot, plot } from "@observablehq/plot";
import { build } from "esbuild";
import { parseHTML } from "linkedom";

const folder = resolve(process.argv[2] ?? "dist/page/bundle");
mkdirSync(folder, { recursive: true });
const { outputFiles } = await build({
  entryPoints: [
    { in: "src/page/app/main.tsx", out: "page" },
    { in: "src/page/app/page.css", out: "page" },
  ],
  outdir: folder,
  bundle: true,
  minify: true,
  write: false,
  format: "iife",
  target: ["chrome123", "firefox125", "safari17.5"],
  charset: "utf8",
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
});
// The hash of an inline element is over its text as it stands: no line break after it.
for (const { path, text } of outputFiles) writeFileSync(path, text.trim());
writeFileSync(join(folder, "chart.css"), renderChartStyle());

/** Its text depends on the class name, which is the one that `plot-figure.tsx` sets. */
function renderChartStyle() {
  const { document } = parseHTML("<!doctype html><body></body>");
  const svg = plot({ document, className: "plot", marks: [dot([[0, 0]])] });
  return svg.querySelector("style").textContent;
}
