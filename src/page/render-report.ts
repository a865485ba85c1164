import type { PageAssets } from "./assets.ts";
import type { ReportData } from "./data.ts";
import { renderPage } from "./render-page.ts";

/** The report as one HTML file that needs nothing else. */
export function renderReport(data: ReportData, assets: PageAssets): string {
  return renderPage(
    {
      title: titleOf(data),
      loading: "This report needs JavaScript. It runs from this file alone and loads nothing.",
      data: { id: "report", value: data },
    },
    assets,
  );
}

function titleOf({ session }: ReportData): string {
  return `Coppice report: ${session.source}${session.id === undefined ? "" : ` ${session.id}`}`;
}
