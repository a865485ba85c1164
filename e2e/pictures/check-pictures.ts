import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";

export interface Picture {
  /** From the root of the repository. */
  readonly file: string;
  readonly png: Buffer;
  /** The text on it. */
  readonly text: string;
}

/** Made by `npm run bench:economics` from recorded sessions, which are not in the repository. */
const FROM_RECORDINGS = "bench/results/economics.png";

/** The file, its size and hash, then the text of each. */
export function describePictures(pictures: readonly Picture[]): string {
  return pictures.map((picture) => `${headOf(picture)}\n${picture.text}\n`).join("\n");
}

/** Problems of the repository's pictures: they were changed, or pages and terminals now show another text. */
export function comparePictures(taken: readonly Picture[], described: string): readonly string[] {
  const known = new Map(
    described.split(/^(?==== )/m).map((section) => [section.split(" ")[1] ?? "", section.trimEnd()]),
  );
  return taken.flatMap(({ file, png, text }) => {
    const [head, ...lines] = (known.get(file) ?? "").split("\n");
    if (!existsSync(file) || headOf({ file, png: readFileSync(file) }) !== head)
      return [`${file} is not the picture that shown.txt describes: npm run pictures`];
    if (sizeOf(png) !== sizeOf(readFileSync(file))) return [`${file} has another size now: npm run pictures`];
    const now = text.split("\n");
    const at = now.findIndex((line, i) => line !== lines[i]);
    if (at < 0 && now.length === lines.length) return [];
    const first = at < 0 ? now.length : at;
    return [`${file} is out of date: npm run pictures\n  - ${lines[first] ?? ""}\n  + ${now[first] ?? ""}`];
  });
}

/** Pictures that pages link but nobody takes, or that are taken but not linked. */
export function findLinkFaults(files: readonly string[]): readonly string[] {
  const pages = execFileSync("git", ["ls-files", "*.md"], { encoding: "utf8" }).trim().split("\n");
  const linked = new Set(
    pages.flatMap((page) =>
      [
        ...readFileSync(page, "utf8").matchAll(
          /!\[[^\]]*\]\((?!https?:)([^)\s]+)\)|<img [^>]*src="([^"]+)"/g,
        ),
      ].map(([, target, source]) => posix.join(posix.dirname(page), target ?? source ?? "")),
    ),
  );
  const made = new Set([...files, FROM_RECORDINGS]);
  return [
    ...[...linked].filter((file) => !made.has(file)).map((file) => `${file} is linked, and not taken here`),
    ...[...made].filter((file) => !linked.has(file)).map((file) => `${file} is taken, and linked nowhere`),
  ];
}

function headOf({ file, png }: Omit<Picture, "text">): string {
  return `=== ${file} ${sizeOf(png)} ${createHash("sha256").update(png).digest("hex")}`;
}

/** As the header of a PNG says. */
function sizeOf(png: Buffer): string {
  return `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;
}
