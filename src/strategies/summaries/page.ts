import { formatNumber } from "../../basics/numbers.ts";
import { maskLabel } from "../../redaction/mask-label.ts";
import { capLine, splitLines } from "./lines.ts";
import { bracket, type Summarizer } from "./summary.ts";

const LINES_SHOWN = 3;
const LONG_LINE = 200;

/** `[Pruned webfetch: Streams, https://a.org/x, 12,345 chars:` and the first lines `]` */
export const summarizePage: Summarizer = (use, text) => {
  const title = findTitle(text);
  const subject = [title, use.url ?? use.query].flatMap((known) => (known ? [maskLabel(known)] : []));
  const size = `${formatNumber(text.length)} chars`;
  const lines = splitLines(text)
    .map((line) => line.trim())
    .filter((line) => /[\p{L}\p{N}]/u.test(line) && !(title !== undefined && line.includes(title)))
    .slice(0, LINES_SHOWN)
    .map((line) => capLine(line, LONG_LINE));
  return bracket(`${use.name}: ${[...subject, size].join(", ")}`, lines);
};

const TITLES = [/<title[^<>]*>([^<]{1,200})<\/title>/i, /^Title: (.{1,200})$/m, /^# (.{1,200})$/m];

function findTitle(text: string): string | undefined {
  const start = text.slice(0, 5_000);
  for (const title of TITLES) {
    const found = title.exec(start)?.[1]?.trim();
    if (found) return found;
  }
  return undefined;
}
