// Bundles the pages: page.js and page.css (the report), index.js and index.css (many reports), analysis.js and analysis.css, context.js and context.css, dashboard.js and dashboard.css; chart.css, the style that the chart
// library adds at run time; and LICENSES.txt, the licences of the libraries that are in the scripts.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { dot, plot } from "@observablehq/plot";
import { build } from "esbuild";
import { parseHTML } from "linkedom";
import { formatLicences, listLibraries } from "./list-libraries.mjs";

const folder = resolve(process.argv[2] ?? "dist/page/bundle");
mkdirSync(folder, { recursive: true });
const { outputFiles, metafile } = await build({
  entryPoints: [
    { in: "src/page/app/main.tsx", out: "page" },
    { in: "src/page/app/page.css", out: "page" },
    { in: "src/page/app/index/main.tsx", out: "index" },
    { in: "src/page/app/index/index.css", out: "index" },
    { in: "src/page/app/analysis/main.tsx", out: "analysis" },
    { in: "src/page/app/analysis/analysis.css", out: "analysis" },
    { in: "src/page/app/context/main.tsx", out: "context" },
    { in: "src/page/app/context/context.css", out: "context" },
    { in: "src/page/app/dashboard/main.tsx", out: "dashboard" },
    { in: "src/page/app/dashboard/dashboard.css", out: "dashboard" },
  ],
  outdir: folder,
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  format: "iife",
  target: ["chrome123", "firefox125", "safari17.5"],
  charset: "utf8",
  jsx: "automatic",
  jsxImportSource: "preact",
  logLevel: "warning",
});
const libraries = listLibraries(Object.keys(metafile.inputs));
const notice = `/*! Contains ${libraries.map(({ name, licence }) => `${name} (${licence})`).join(", ")}. */\n`;
for (const { path, text } of outputFiles)
  writeFileSync(path, path.endsWith(".js") ? notice + text.trim() : text.trim());
writeFileSync(join(folder, "chart.css"), renderChartStyle());
writeFileSync(join(folder, "LICENSES.txt"), formatLicences(libraries));

/** Its text depends on the class name, which is the one that `plot-figure.tsx` sets. */
function renderChartStyle() {
  const { document } = parseHTML("<!doctype html><body></body>");
  const svg = plot({ document, className: "plot", marks: [dot([[0, 0]])] });
  return svg.querySelector("style").textContent;
}
