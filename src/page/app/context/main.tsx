import { render } from "preact";
import type { ContextData } from "../../context-data.ts";
import { ContextPage } from "./context-page.tsx";

const page = document.getElementById("page");
const block = document.getElementById("context");
if (page && block) {
  // Written by renderContext of the same version, so its shape is known.
  const data = JSON.parse(block.textContent ?? "") as ContextData;
  page.replaceChildren();
  render(<ContextPage data={data} />, page);
}
