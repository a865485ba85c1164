import { render } from "preact";
import type { IndexData } from "../../index-data.ts";
import { IndexPage } from "./index-page.tsx";

const page = document.getElementById("page");
const block = document.getElementById("index");
if (page && block) {
  // Written by renderIndex of the same version, so its shape is known.
  const data = JSON.parse(block.textContent ?? "") as IndexData;
  page.replaceChildren();
  render(<IndexPage data={data} />, page);
}
