import { loadPageAssets } from "../../page/assets.ts";
import { renderContext } from "../../page/render-context.ts";
import { writeFiles } from "../output.ts";
import type { ContextReport } from "./context-report.ts";

/** The report as a page: names and sizes, no text. */
export async function writeContextPage(report: ContextReport, file: string): Promise<void> {
  const { title, project, time, prefix, billed, changes } = report;
  const data = { title, project, time, prefix, billed, ...(changes && { changes }) };
  const page = renderContext(data, loadPageAssets(undefined, "context"));
  await writeFiles((put) => put(file, page, 0o600), "Choose another place with --html=file.");
}
