import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { decodeBody } from "../../../src/hosts/proxy/decode-body.ts";
import { HUGE_WINDOW, packZstd, SKIPPABLE, zstdBomb, zstdGrinder } from "./zstd.ts";

const TEXT = `{"text": "${"Grüße 🌳 ".repeat(30_000)}"}`;
const MOST = 2_000_000;

/** The output of a real zstd for `LINES`: with matches, entropy-coded literals and a checksum. */
const REAL = Buffer.from(
  "KLUv/WQ6DZ0KAHbVNBqAp2kDgDra/z7CPjNDmCF4iuzu7n4qJy29BzcAKQAoAOcfJvqWl35pqU876w9A4SAIhA8HSAHByeGEEEiMHDxQEAE2jILEhA+JQWGjOAwGpHDxi43CQRCF0PwdO1+H0M8p6eNo+jeovo2tX0M+TRl/dvwyk+QvXflaZX7anI+3Ab8y8q2o/KpiPpWaP5Xnlzr0lyp9pVE/adVHyvWPzjeq8YuGlvwhLT905SrP8O4O7bJO6Xau3Prlpvw1mvHVKs3Q7gzNysjGMP1iW7S+lp9VOA5PqFE4LSCGt/5nYDMKCqYDEuAzBP//P8MfY89nNJsPp7/3YRr+LK9p8R6r5zsZ4Gc8d2fU/JuxdMSMpdsyLN2UkRhf3iDjc5jnI8Ey0owikuWUCZL5WCbOX6Y0gWSMYyrFQIbBBIP8AvTSspVdsnJ5rnXvNa68P65Je2NUAYggr0A=",
  "base64",
);
const LINES = Array.from(
  { length: 60 },
  (_, i) => `line ${i}: ${(i * 7919) % 1000} coppice cuts a tree back so that it grows again\n`,
).join("");

test.each<[string | undefined, (bytes: Buffer) => Buffer]>([
  [undefined, (bytes) => bytes],
  ["identity", (bytes) => bytes],
  ["gzip", (bytes) => gzipSync(bytes)],
  ["GZIP", (bytes) => gzipSync(bytes)],
  ["deflate", (bytes) => deflateSync(bytes)],
  ["br", (bytes) => brotliCompressSync(bytes)],
  ["zstd", packZstd],
])("a body in %s", async (encoding, pack) => {
  expect(await decodeBody(pack(Buffer.from(TEXT)), encoding, MOST)).toBe(TEXT);
});

test("data packed by a real zstd", async () => {
  expect(await decodeBody(REAL, "zstd", MOST)).toBe(LINES);
});

test("several zstd frames, some of which are to be skipped", async () => {
  const bytes = Buffer.concat([
    SKIPPABLE,
    packZstd(Buffer.from("{")),
    REAL,
    SKIPPABLE,
    packZstd(Buffer.from("}")),
  ]);
  expect(await decodeBody(bytes, "zstd", MOST)).toBe(`{${LINES}}`);
});

test("a zstd frame of many small blocks", async () => {
  expect(await decodeBody(zstdGrinder(100), "zstd", MOST)).toBe(" ".repeat(100));
});

describe("an unreadable body is passed on unchanged", () => {
  test.each<[string, string, Buffer]>([
    ["an unknown encoding", "snappy", Buffer.from("{}")],
    ["a property of every object", "constructor", Buffer.from("{}")],
    ["two encodings", "gzip, br", gzipSync("{}")],
    ["broken gzip", "gzip", Buffer.from("{}")],
    ["gzip that ends early", "gzip", gzipSync(TEXT).subarray(0, 200)],
    ["broken zstd", "zstd", Buffer.from("{}")],
    ["zstd that ends early", "zstd", packZstd(Buffer.from(TEXT)).subarray(0, 200_000)],
    ["no UTF-8", "identity", Buffer.from([0xff, 0xfe])],
    ["a bomb in gzip", "gzip", gzipSync(Buffer.alloc(8_000_000))],
    ["a bomb in brotli", "br", brotliCompressSync(Buffer.alloc(8_000_000))],
    ["a bomb in zstd", "zstd", zstdBomb(20_000)],
    ["a zstd frame that asks for 2 GB", "zstd", HUGE_WINDOW],
    ["a second frame that does", "zstd", Buffer.concat([packZstd(Buffer.from("{}")), HUGE_WINDOW])],
    ["one behind a frame to skip", "zstd", Buffer.concat([SKIPPABLE, HUGE_WINDOW])],
    ["a million blocks, each of which moves 1 MB", "zstd", zstdGrinder(1_000_000)],
    ["bombs in many frames", "zstd", Buffer.concat(Array.from({ length: 50 }, () => zstdBomb(1)))],
    ["a frame to skip that never ends", "zstd", SKIPPABLE.subarray(0, 9)],
  ])("%s", async (_, encoding, bytes) => {
    expect(await decodeBody(bytes, encoding, MOST)).toBeUndefined();
  });
});
