import { render } from "preact";
import type { AnalysisData } from "../../analysis-data.ts";
import { AnalysisPage } from "./analysis-page.tsx";

const page = document.getElementById("page");
const block = document.getElementById("analysis");
if (page && block) {
  // Written by renderAnalysis of the same version, so its shape is known.
  const data = JSON.parse(block.textContent ?? "") as AnalysisData;
  page.replaceChildren();
  render(<AnalysisPage data={data} />, page);
}
