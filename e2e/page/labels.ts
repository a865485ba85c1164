import type { Page } from "playwright-core";

/** Problems of a chart's labels; empty if there are none. */
export function findBadLabels(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(() => {
    const problems = [];
    for (const plot of document.querySelectorAll("svg.plot")) {
      const frame = plot.getBoundingClientRect();
      const labels = [...plot.querySelectorAll("text")]
        .filter((text) => !text.closest('[aria-label="tip"]') && text.textContent !== "")
        .map((text) => ({ name: text.textContent, box: text.getBoundingClientRect() }));
      if (labels.length < 5) problems.push("a chart with only " + labels.length + " labels");
      for (const [i, { name, box }] of labels.entries()) {
        if (box.left < frame.left - 0.5 || box.right > frame.right + 0.5 || box.top < frame.top - 0.5 || box.bottom > frame.bottom + 0.5)
          problems.push(name + " leaves its plot");
        for (const other of labels.slice(i + 1)) {
          const isApart =
            box.right <= other.box.left || other.box.right <= box.left ||
            box.bottom <= other.box.top || other.box.bottom <= box.top;
          if (!isApart) problems.push(name + " overlaps " + other.name);
        }
      }
      if (frame.right > document.documentElement.clientWidth) problems.push("a chart is wider than the page");
    }
    return problems;
  })()`);
}
