/**
 * Takes every picture that README and docs show of pages and terminals, from the sample session: `npm run
 * pictures`. The text on them is written to shown.txt. `--check` takes them again, changes nothing, and fails if
 * the text differs or if docs link other pictures. `--look FOLDER` takes the pages in all widths and both themes,
 * for people to look at.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "playwright-core";
import { launchChromium } from "../page/launch-chromium.ts";
import { comparePictures, describePictures, findLinkFaults, type Picture } from "./check-pictures.ts";
import { listShots, type Shot } from "./list-shots.ts";
import { playSample } from "./play-sample.ts";
import { countColours, readShown } from "./read-shown.ts";
import { Workplace } from "./workplace.ts";

const SAMPLE = "samples/discount-service.jsonl";
const SHOWN = "e2e/pictures/shown.txt";
/** With fewer a picture is blank. */
const LEAST_COLOURS = 16;

const { values: options } = parseArgs({
  options: { check: { type: "boolean", default: false }, look: { type: "string" } },
});
const faults: string[] = [];
const place = new Workplace(SAMPLE);
const proxy = await playSample(SAMPLE, "dist/page/bundle");
const fonts = { FONTCONFIG_FILE: place.writeFontConfig() };
const browser = await launchChromium(join(place.folder, "profile"), fonts);
try {
  const shots = listShots(SAMPLE, place, proxy);
  if (options.look === undefined) await takeAll(shots, options.check);
  else await lookAtAll(shots, options.look);
} finally {
  await browser.close();
  await proxy.close();
  place.dispose();
}
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;

async function takeAll(shots: readonly Shot[], isCheck: boolean): Promise<void> {
  const folder = isCheck ? place.folder : ".";
  const pictures: Picture[] = [drawSample(folder)];
  for (const shot of shots) pictures.push(await take(shot, folder));
  faults.push(...findLinkFaults(pictures.map(({ file }) => file)));
  for (const { file, png } of pictures)
    if ((await countColours(browser, png)) < LEAST_COLOURS) faults.push(`${file} is blank`);
  if (isCheck) faults.push(...comparePictures(pictures, readFileSync(SHOWN, "utf8")));
  else writeFileSync(SHOWN, describePictures(pictures));
  if (faults.length === 0) console.log(`${pictures.length} pictures ${isCheck ? "are up to date" : "taken"}`);
}

async function take(shot: Shot, folder: string): Promise<Picture> {
  const { file, size, mask = (text: string) => text } = shot;
  const page = await open(shot, size);
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  const png = await (size ? page : page.locator("main")).screenshot({ path });
  const text = mask(await readShown(page));
  await page.close();
  return { file, png, text };
}

async function open(
  shot: Shot,
  size = { width: 1_200, height: 2_000 },
  theme: Theme = "light",
): Promise<Page> {
  const page = await browser.newPage();
  page.on("pageerror", (error) => faults.push(`${shot.file}: ${error}`));
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  if (shot.time !== undefined) await page.clock.setFixedTime(shot.time);
  await page.goto(shot.url);
  await page.locator("main").waitFor();
  await shot.prepare?.(page);
  return page;
}

type Theme = "light" | "dark";

/** The picture of the bench, on the sample. */
function drawSample(folder: string): Picture {
  const file = "bench/results/sample.png";
  const path = join(folder, file);
  const args = ["scripts/run-ts.mjs", "bench/economics.ts", "--out", dirname(path)];
  execFileSync(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  const labels = readFileSync(path.replace(".png", ".svg"), "utf8").matchAll(/<text[^>]*>([^<]+)</g);
  return { file, png: readFileSync(path), text: [...labels].map(([, label]) => label).join("\n") };
}

async function lookAtAll(shots: readonly Shot[], folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const shot of shots.filter(({ size }) => size))
    for (const theme of ["light", "dark"] as const)
      for (const width of [390, 1_024, 1_600]) {
        const page = await open(shot, { width, height: 1_000 }, theme);
        const path = join(folder, `${basename(shot.file, ".png")}-${width}-${theme}.png`);
        await page.screenshot({ path, fullPage: true });
        await page.close();
      }
}
