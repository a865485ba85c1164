import type { BrowserContext, Page } from "playwright-core";

/** The text in the window, a line for each block. */
export async function readShown(page: Page): Promise<string> {
  const blocks = (await page.evaluate(`(() => {
    const blocks = new Map();
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(nodes.currentNode);
      const isShown = nodes.currentNode.data.trim() === "" || [...range.getClientRects()].some(({ width, top, bottom }) =>
        width > 1 && bottom > 0 && top < innerHeight);
      if (!isShown) continue;
      let block = nodes.currentNode.parentElement;
      while (getComputedStyle(block).display.startsWith("inline") && block.parentElement) block = block.parentElement;
      blocks.set(block, (blocks.get(block) ?? "") + nodes.currentNode.data);
    }
    return [...blocks.values()];
  })()`)) as readonly string[];
  return blocks
    .filter((block) => block.trim() !== "")
    .flatMap((block) => block.split("\n"))
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
}

/** How many colours a picture has. */
export async function countColours(browser: BrowserContext, png: Buffer): Promise<number> {
  const page = await browser.newPage();
  const colours = await page.evaluate(`(async () => {
    const image = new Image();
    image.src = "data:image/png;base64,${png.toString("base64")}";
    await image.decode();
    const { width, height } = image;
    const context = new OffscreenCanvas(width, height).getContext("2d");
    context.drawImage(image, 0, 0);
    return new Set(new Uint32Array(context.getImageData(0, 0, width, height).data.buffer)).size;
  })()`);
  await page.close();
  return colours as number;
}
