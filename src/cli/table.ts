import stringWidth from "string-width";
import type { Screen } from "./screen.ts";

type Paint = (text: string) => string;

export interface Column {
  readonly title: string;
  /** Figures are aligned right, texts left. */
  readonly align: "left" | "right";
  /** A text that may be shortened to this many columns if the line is too long. */
  readonly atLeast?: number;
  /** Which columns to leave out if even that is too long: the highest number first. Those without a number stay. */
  readonly spare?: number;
  readonly paint?: Paint;
}

export interface TableOptions {
  /** The terminal's width. */
  readonly width: number;
  readonly paint: Screen["paint"];
}

const INDENT = 2;
const GAP = 2;

/**
 * Rows under titles, with no line wider than the terminal. Wide characters and emoji count with their displayed
 * width.
 */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width, paint }: TableOptions,
): string {
  const measured = columns.map((column, i) => ({
    ...column,
    i,
    size: rows.reduce((most, row) => Math.max(most, widthOf(row[i] ?? "")), widthOf(column.title)),
  }));
  const shown = fitWidth(measured, width - INDENT);
  const line = (cells: readonly string[], painted: boolean): string =>
    shown
      .map(({ i, size, align, paint: own }, at) => {
        const text = clip(cells[i] ?? "", size);
        const space = " ".repeat(Math.max(0, size - widthOf(text)));
        const cell = painted && own ? own(text) : text;
        if (align === "right") return space + cell;
        return at === shown.length - 1 ? cell : cell + space;
      })
      .join(" ".repeat(GAP));
  const titles = line(
    columns.map(({ title }) => title),
    false,
  ).trimEnd();
  const lines = rows.map((row) => line(row, true).trimEnd());
  return [...(titles === "" ? [] : [paint.dim(titles)]), ...lines]
    .map((each) => `${" ".repeat(INDENT)}${each}\n`)
    .join("");
}

interface Measured extends Column {
  readonly i: number;
  readonly size: number;
}

/** Shortens texts, each by the same share of its spare width; if that is not enough, leaves out columns. */
function fitWidth(columns: readonly Measured[], width: number): readonly Measured[] {
  const wide = (list: readonly Measured[]): number =>
    list.reduce((sum, { size }) => sum + size, GAP * (list.length - 1));
  const least = columns.map((column) => ({
    ...column,
    size: Math.min(column.size, column.atLeast ?? column.size),
  }));
  if (wide(least) > width) {
    const spare = Math.max(...columns.map((column) => column.spare ?? 0));
    if (spare > 0)
      return fitWidth(
        columns.filter((column) => column.spare !== spare),
        width,
      );
    return least;
  }
  const missing = wide(columns) - wide(least);
  const share = missing === 0 ? 1 : Math.min(1, (width - wide(least)) / missing);
  return columns.map((column, i) => {
    const short = least[i]?.size ?? 0;
    return { ...column, size: short + Math.floor(share * (column.size - short)) };
  });
}

/**
 * In columns. Control characters have none. Long texts would take the library long, so only their start is
 * measured, and each later character counts as one column.
 */
function widthOf(text: string): number {
  const start = text.slice(0, MEASURED);
  return stringWidth(start.replace(CONTROLS, "")) + text.length - start.length;
}

const MEASURED = 1_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: all but the one that colours begin with
const CONTROLS = /[^\P{Cc}\u001b]+/gu;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** No visible text has more characters in a column; measuring a long one takes long. */
const MOST_PER_COLUMN = 32;

/** A text in `width` columns of a terminal; shortened texts end with `…`. */
export function clip(text: string, width: number): string {
  const start = text.slice(0, MOST_PER_COLUMN * width);
  if (start === text && widthOf(text) <= width) return text;
  let clipped = "";
  let used = 1;
  for (const { segment } of graphemes.segment(start)) {
    used += widthOf(segment);
    if (used > width) break;
    clipped += segment;
  }
  return `${clipped.trimEnd()}…`;
}

/** The end of a path is more informative than its start. */
export function clipStart(text: string, width: number): string {
  const end = text.slice(Math.max(0, text.length - MOST_PER_COLUMN * width));
  if (end === text && widthOf(text) <= width) return text;
  let clipped = "";
  let used = 1;
  for (const { segment } of [...graphemes.segment(end)].reverse()) {
    used += widthOf(segment);
    if (used > width) break;
    clipped = segment + clipped;
  }
  return `…${clipped}`;
}

/** Text in lines that fit, broken between words. */
export function wrap(text: string, width: number, indent: number = INDENT): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && widthOf(`${line} ${word}`) > width - indent) {
      lines.push(line);
      line = "";
    }
    line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].map((each) => `${" ".repeat(indent)}${each}\n`).join("");
}

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** A bar of at most `width` columns, to an eighth of a column. */
export function drawBar(share: number, width: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * width * 8);
  return "█".repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? "");
}

/** Rows under titles: the last column is text of any length, the others are figures, aligned right. */
export function formatRows(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  paint: Screen["paint"],
): string {
  const widths = titles.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const write = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (i === cells.length - 1 ? cell : cell.padStart(widths[i] ?? 0)))
      .join("  ")
      .trimEnd();
  return [paint.dim(write(titles)), ...rows.map(write)].map((line) => `  ${line}\n`).join("");
}
