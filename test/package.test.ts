import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";

interface Packed {
  readonly files: readonly { readonly path: string }[];
}

/** The files that npm would pack; nothing is built or written. */
const [packed] = Object.values(
  JSON.parse(
    execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  ) as Readonly<Record<string, Packed>>,
);
const paths = new Set(packed?.files.map(({ path }) => path));
const pages = [...paths].filter((path) => path.endsWith(".md"));

test("the package has its pages", () => {
  expect(pages).toEqual(expect.arrayContaining(["README.md", "ARCHITECTURE.md", "docs/cli.md"]));
});

test("package.json names no address: nobody knows one before the package is published", () => {
  const manifest = JSON.parse(readFileSync("package.json", "utf8"));
  for (const field of ["repository", "homepage", "bugs"]) expect(manifest).not.toHaveProperty(field);
});

test("the package is a marketplace for Claude Code", () => {
  expect(paths).toContain(".claude-plugin/marketplace.json");
});

/** npm shows the README without the repository's files, and node_modules has only the packed ones. */
test.each(pages)("every link and image of %s is in the package, or elsewhere on the web", (page) => {
  const text = readFileSync(join(page), "utf8").replace(/^```[\s\S]*?^```/gm, "");
  for (const [, target = ""] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^(?:https?:|mailto:|#)/.test(target)) continue;
    const [path = ""] = target.split("#");
    expect(paths, `${page}: ${target}`).toContain(posix.normalize(posix.join(posix.dirname(page), path)));
  }
});

test("every anchor in a link is a heading of its page", () => {
  const anchors = (page: string) =>
    new Set(
      [...readFileSync(page, "utf8").matchAll(/^#+ +(.+)$/gm)].map(([, title = ""]) =>
        title
          .toLowerCase()
          .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
          .replace(/[^\p{L}\p{N}\s_-]/gu, "")
          .trim()
          .replaceAll(" ", "-"),
      ),
    );
  for (const page of pages)
    for (const [, path = "", anchor = ""] of readFileSync(page, "utf8").matchAll(
      /\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g,
    )) {
      const target = path === "" ? page : posix.normalize(posix.join(posix.dirname(page), path));
      expect([...anchors(target)], `${page}: ${path}#${anchor}`).toContain(anchor);
    }
});
