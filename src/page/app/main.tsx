import { render } from "preact";
import type { ReportData } from "../data.ts";
import { App } from "./app.tsx";

const page = document.getElementById("page");
const block = document.getElementById("report");
if (page && block) {
  // Written by renderReport of the same version, so its shape is known.
  const data = JSON.parse(block.textContent ?? "") as ReportData;
  page.replaceChildren();
  render(<App data={data} />, page);
}
