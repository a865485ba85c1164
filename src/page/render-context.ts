import type { PageAssets } from "./assets.ts";
import type { ContextData } from "./context-data.ts";
import { renderPage } from "./render-page.ts";

/** The text that a client sends before the first message, as one HTML file. */
export function renderContext(data: ContextData, assets: PageAssets): string {
  return renderPage(
    {
      title: `Coppice: what ${data.title} sends before your first word`,
      loading: "This page needs JavaScript. It runs from this file alone and loads nothing.",
      data: { id: "context", value: data },
    },
    assets,
  );
}
