import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import * as Plot from "@observablehq/plot";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { parseHTML } from "linkedom";
import type { ReplayRow } from "../../src/replay/index.ts";

const WIDTH = 960;
const HEIGHT = 560;
const FONT = "DejaVu Sans";

interface Point {
  readonly name: string;
  readonly isOurs: boolean;
  /** All in per cent. */
  readonly bill: number;
  readonly lower: number;
  readonly upper: number;
  readonly lost: number;
  /** Where its name stands. */
  readonly label: number;
}

/** Bill against evidence, one point for each policy. Left and up is better. */
export function drawPicture(rows: readonly ReplayRow[], title: string): string {
  const points = placeLabels(rows.flatMap(toPoint));
  const most = Math.max(1, ...points.map(({ lost }) => lost));
  const bills = points.flatMap(({ lower, upper, bill }) => [lower, upper, bill]);
  const [from, to] = [Math.floor(Math.min(...bills) / 10) * 10, Math.ceil(Math.max(...bills) / 10) * 10];
  const names = to + (to - from) * 0.08;
  const color = ({ isOurs }: Point): string => (isOurs ? "#1b7f3b" : "#8a5a00");
  const { document } = parseHTML("<!doctype html><html><body></body></html>");
  const plot = Plot.plot({
    document,
    width: WIDTH,
    height: HEIGHT,
    marginLeft: 70,
    marginTop: 50,
    marginBottom: 45,
    style: { fontFamily: `${FONT}, sans-serif`, fontSize: "12px", background: "white", color: "#222" },
    x: { domain: [from, to + (to - from) * 0.6], ticks: tickEvery(from, to), label: null },
    y: { domain: [most, 0], type: "sqrt", ticks: [], label: null },
    marks: [
      Plot.gridX(tickEvery(from, to), { stroke: "#ddd", strokeOpacity: 1 }),
      Plot.axisX(tickEvery(from, to), { tickFormat: (bill: number) => `${bill}%`, label: null }),
      Plot.axisY(
        LOST.filter((lost) => lost <= most),
        { tickFormat: (lost: number) => `${100 - lost}%`, label: null },
      ),
      Plot.text([title], { frameAnchor: "top-left", dy: -38, dx: -60, fontSize: 14, fontWeight: "bold" }),
      Plot.text(["evidence kept (mean)"], { frameAnchor: "top-left", dy: -16, dx: -60 }),
      Plot.text(["bill, share of the unpruned one: mean, and the middle half of the sessions"], {
        frameAnchor: "bottom-left",
        dy: 36,
      }),
      Plot.ruleX([100], { stroke: "#999", strokeDasharray: "3 3" }),
      Plot.line(listFront(points), { x: "bill", y: "lost", curve: "step-before", stroke: "#bbb" }),
      Plot.link(points, {
        x1: "bill",
        y1: "lost",
        x2: () => names,
        y2: "label",
        stroke: color,
        strokeOpacity: 0.35,
        strokeWidth: 0.8,
      }),
      Plot.link(points, {
        x1: "lower",
        x2: "upper",
        y1: "lost",
        y2: "lost",
        stroke: color,
        strokeOpacity: 0.5,
        strokeWidth: 2,
      }),
      Plot.dot(points, { x: "bill", y: "lost", r: 5, fill: color }),
      Plot.text(points, {
        x: () => names,
        y: "label",
        text: ({ name, bill, lost }: Point) => `${name}  ${bill.toFixed(0)}% / ${(100 - lost).toFixed(1)}%`,
        textAnchor: "start",
        dx: 4,
        fill: color,
      }),
    ],
  });
  plot.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return plot.outerHTML;

  /** Names stand below each other, in the order of their points, as near to them as there is room. */
  function placeLabels(unplaced: readonly Omit<Point, "label">[]): readonly Point[] {
    const sorted = unplaced.toSorted(
      (a, b) => a.lost - b.lost || a.bill - b.bill || (a.name < b.name ? -1 : 1),
    );
    const least = 16 / (HEIGHT - 95);
    const highest = Math.max(1, ...sorted.map(({ lost }) => lost));
    const wanted = sorted.map(({ lost }) => Math.sqrt(lost / highest));
    const places: number[] = [];
    for (const want of wanted) places.push(Math.max(want, (places.at(-1) ?? -least) + least));
    for (let i = places.length - 1, limit = 1; i >= 0; i--, limit = (places[i + 1] ?? limit) - least)
      places[i] = Math.min(places[i] ?? 0, limit);
    return sorted.map((point, i) => ({ ...point, label: Math.max(0, places[i] ?? 0) ** 2 * highest }));
  }
}

const LOST: readonly number[] = [0, 1, 2, 5, 10, 20, 30, 50, 70];

function tickEvery(from: number, to: number): readonly number[] {
  const step = to - from > 100 ? 20 : 10;
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);
}

function toPoint({ policy, bill, evidence }: ReplayRow): readonly Omit<Point, "label">[] {
  if (!evidence || policy.startsWith("only ")) return [];
  return [
    {
      name: policy,
      isOurs: policy.startsWith("Coppice"),
      bill: bill.mean * 100,
      lower: bill.lower * 100,
      upper: bill.upper * 100,
      lost: (1 - evidence.mean) * 100,
    },
  ];
}

/** The points that no other beats in both, from the dearest. */
function listFront(points: readonly Point[]): readonly Point[] {
  return points
    .filter(
      (point) =>
        !points.some(
          (other) =>
            other.bill <= point.bill &&
            other.lost <= point.lost &&
            (other.bill < point.bill || other.lost < point.lost),
        ),
    )
    .toSorted((a, b) => b.bill - a.bill);
}

export async function renderPng(svg: string): Promise<Uint8Array> {
  const require = createRequire(import.meta.url);
  await initWasm(await readFile(require.resolve("@resvg/resvg-wasm/index_bg.wasm")));
  const fonts = [
    require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
    require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf"),
  ].map((path) => readFile(path));
  const image = new Resvg(svg, {
    background: "white",
    fitTo: { mode: "width", value: WIDTH * 2 },
    font: { fontBuffers: await Promise.all(fonts), defaultFontFamily: FONT, sansSerifFamily: FONT },
  });
  return image.render().asPng();
}

export async function writePicture(path: string, svg: string): Promise<void> {
  await writeFile(`${path}.svg`, `${svg}\n`);
  await writeFile(`${path}.png`, await renderPng(svg));
}
