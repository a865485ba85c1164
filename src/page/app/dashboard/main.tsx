import { render } from "preact";
import { Dashboard } from "./dashboard.tsx";

const page = document.getElementById("page");
if (page) {
  page.replaceChildren();
  render(<Dashboard />, page);
}
