/** Takes the pictures of the README (docs/images), or with a folder given all widths and both themes, to be looked at. */
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildReportData } from "../../src/page/report-data.ts";
import { readRecording } from "../../src/recordings/index.ts";
import { PageBench } from "./open-page.ts";

const THEMES = ["light", "dark"] as const;
const folder = process.argv[2];
const read = await readRecording("samples/discount-service.jsonl");
if (!read.ok) throw new Error(read.issue.message);
const data = buildReportData(read.value);
const bench = await PageBench.start();
try {
  if (folder === undefined) await takePictures();
  else await takeAll(folder);
} finally {
  await bench.stop();
}

async function takePictures(): Promise<void> {
  for (const theme of THEMES) {
    const { page } = await bench.open(data, { width: 1_200, height: 860, theme });
    await page.screenshot({ path: resolve(`docs/images/report-${theme}.png`) });
    await page.close();
  }
}

async function takeAll(into: string): Promise<void> {
  mkdirSync(into, { recursive: true });
  for (const theme of THEMES) {
    for (const width of [360, 1_024, 1_600]) {
      const { page, trouble } = await bench.open(data, { width, theme });
      await page.screenshot({ path: join(into, `${width}-${theme}-top.png`), fullPage: false });
      await page.screenshot({
        path: join(into, `${width}-${theme}-charts.png`),
        clip: { x: 0, y: 0, width, height: 2_400 },
        fullPage: true,
      });
      await page.getByRole("button", { name: /^edits/ }).click();
      await page.locator("#transcript").scrollIntoViewIfNeeded();
      await page.locator(".cut-line").first().click();
      await page.locator("#transcript-title").evaluate("element => element.scrollIntoView()");
      await page.waitForTimeout(300);
      await page.screenshot({ path: join(into, `${width}-${theme}-transcript.png`) });
      if (trouble.length > 0) console.error(width, theme, trouble);
      await page.close();
    }
  }
}
