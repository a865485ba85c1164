import type { PageAssets } from "./assets.ts";
import type { ReportData } from "./data.ts";
import { nameFolder } from "./name-folder.ts";
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
  const folder = session.project === undefined ? undefined : nameFolder(session.project);
  const names = [folder, session.prompt ?? session.id].filter((name) => name !== undefined);
  return `${names.join(": ") || session.source} – Coppice report`;
}
