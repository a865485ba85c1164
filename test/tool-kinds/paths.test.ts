import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { normalizePath } from "../../src/tool-kinds/paths.ts";
import { canonicalUrl } from "../../src/tool-kinds/same-url.ts";

describe("normalizePath", () => {
  test.each([
    ["./a.ts", undefined, "a.ts"],
    ["a//b/./c.ts", undefined, "a/b/c.ts"],
    ["a/../b.ts", undefined, "b.ts"],
    ["../a.ts", undefined, "../a.ts"],
    ["a/../../b", undefined, "../b"],
    ["../../a", undefined, "../../a"],
    [".", undefined, "."],
    ["./", undefined, "."],
    ["src/", undefined, "src"],
    ["/", undefined, "/"],
    ["/../a", undefined, "/a"],
    ["/w/../a", undefined, "/a"],
    ["a.ts", "/w", "/w/a.ts"],
    ["a.ts", "/w/", "/w/a.ts"],
    [".", "/w", "/w"],
    ["../a.ts", "/w/src", "/w/a.ts"],
    ["/x/a.ts", "/w", "/x/a.ts"],
    ["a.ts", "src", "src/a.ts"],
    ["../a.ts", "src", "a.ts"],
    ["skill://pdf/../x", "/w", "skill://pdf/../x"],
    ["~", undefined, "~"],
    ["~/a.ts", "/w", "~/a.ts"],
    ["~/../a", undefined, "~/../a"],
    ["~/x/../a", undefined, "~/a"],
    ["file:///w/a.ts", undefined, "/w/a.ts"],
    ["file:///w/a%20b.ts", undefined, "/w/a b.ts"],
    ["file:///w/100%", undefined, "/w/100%"],
    ["file:///c:/w/a.ts", undefined, "C:/w/a.ts"],
    ["src\\a.ts", undefined, "src/a.ts"],
    ["c:\\w\\a.ts", undefined, "C:/w/a.ts"],
    ["C:/w/../a.ts", undefined, "C:/a.ts"],
    ["C:\\..\\a.ts", undefined, "C:/a.ts"],
    ["C:\\", undefined, "C:/"],
    ["src\\a.ts", "c:\\w", "C:/w/src/a.ts"],
    ["d:/a.ts", "C:/w", "D:/a.ts"],
    ["[slug]/page.tsx", undefined, "[slug]/page.tsx"],
  ])("%s in %s is %s", (path, directory, expected) => {
    expect(normalizePath(path, directory)).toBe(expected);
  });

  const segment = fc.constantFrom("a", "b.ts", "..", ".", "", "sub dir");
  const path = fc
    .tuple(
      fc.constantFrom("", "/", "~/", "C:/", "C:\\"),
      fc.array(segment, { maxLength: 6 }),
      fc.constantFrom("/", "\\"),
    )
    .map(([root, segments, separator]) => root + segments.join(separator));

  test("is idempotent", () => {
    fc.assert(
      fc.property(path, (raw) => {
        const once = normalizePath(raw);
        expect(normalizePath(once)).toBe(once);
      }),
    );
  });

  test("inside a directory, the relative and the absolute spelling are one", () => {
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 6 }), (segments) => {
        const relative = `./${segments.join("/")}`;
        expect(normalizePath(relative, "/w/x")).toBe(normalizePath(`/w/x/${relative}`));
      }),
    );
  });
});

describe("canonicalUrl", () => {
  test.each([
    ["https://a.b/c#d", "https://a.b/c"],
    ["HTTPS://A.b:443/c", "https://a.b/c"],
    ["http://a.b:80", "http://a.b/"],
    ["http://a.b:8080/", "http://a.b:8080/"],
    ["https://a.b/c?d=1#", "https://a.b/c?d=1"],
    ["https://a.b/C", "https://a.b/C"],
    ["not a url", "not a url"],
    ["", ""],
  ])("%s is %s", (url, expected) => {
    expect(canonicalUrl(url)).toBe(expected);
  });

  test("paths and queries keep pages apart", () => {
    expect(canonicalUrl("https://a.b/c")).not.toBe(canonicalUrl("https://a.b/c?d=1"));
    expect(canonicalUrl("https://a.b/c")).not.toBe(canonicalUrl("https://a.b/c/"));
  });

  test("is idempotent", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string()),
        (url) => {
          expect(canonicalUrl(canonicalUrl(url))).toBe(canonicalUrl(url));
        },
      ),
    );
  });
});
