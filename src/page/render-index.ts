import type { PageAssets } from "./assets.ts";
import type { IndexData } from "./index-data.ts";
import { renderPage } from "./render-page.ts";

/** The start page of many reports, as one HTML file. */
export function renderIndex(data: IndexData, assets: PageAssets): string {
  return renderPage(
    {
      title: `${data.rows.length} sessions – Coppice reports`,
      loading: "This page needs JavaScript. It runs from this file alone and loads nothing.",
      data: { id: "index", value: data },
    },
    assets,
  );
}
