import type { AnalysisData } from "./analysis-data.ts";
import type { PageAssets } from "./assets.ts";
import { renderPage } from "./render-page.ts";

/** The analysis as one HTML file; reports of sessions are next to it. */
export function renderAnalysis(data: AnalysisData, assets: PageAssets): string {
  return renderPage(
    {
      title: `Coppice: what ${data.rows.length} sessions cost`,
      loading: "This page needs JavaScript. It runs from this file alone and loads nothing.",
      data: { id: "analysis", value: data },
    },
    assets,
  );
}
