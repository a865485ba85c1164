import type { PageAssets } from "./assets.ts";
import { renderPage } from "./render-page.ts";

/** The dashboard: a page without data, which it requests from the proxy. */
export function renderDashboard(assets: PageAssets): string {
  return renderPage(
    {
      title: "Coppice: sessions now",
      loading: "The dashboard needs JavaScript. It talks to this proxy and to nobody else.",
      mayAsk: true,
    },
    assets,
  );
}
