import type { SessionPrefix } from "../../../analysis/session-prefix.ts";
import { loadPageAssets } from "../../../page/assets.ts";
import { renderReport } from "../../../page/render-report.ts";
import { buildReportData } from "../../../page/report-data.ts";
import type { Recording } from "../../../recordings/recording.ts";
import type { findTerms } from "../live/live-recording.ts";

/** Plain data that can be sent to a thread. */
export interface LiveReport {
  readonly recording: Recording;
  readonly terms: ReturnType<typeof findTerms>;
  readonly prefix?: SessionPrefix;
  /** Where the page's bundle is; default: next to our code. */
  readonly pages: string | undefined;
}

/** Renders a session in memory as its report page. */
export function renderLive({ recording, terms, prefix, pages }: LiveReport): string {
  const assets = loadPageAssets(pages === undefined ? undefined : new URL(pages));
  return renderReport(buildReportData(recording, { ...terms, ...(prefix && { prefix }) }), assets);
}
