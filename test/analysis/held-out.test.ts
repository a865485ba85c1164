import fc from "fast-check";
import { expect, test } from "vitest";
import { isHeldOut } from "../../src/analysis/held-out.ts";
import { hashText } from "../../src/transcript/hash.ts";

const COUNT = 20_000;

/** Forms of conversation names: hashes, counters, paths. */
const NAMINGS: readonly ((i: number) => string)[] = [
  (i) => hashText(`conversation ${i}`),
  (i) => String(i),
  (i) => `/home/somebody/project/${i}.jsonl`,
];

test.each([1, 10, 25, 50, 90])("%d percent of the conversations are held out, with any names", (percent) => {
  for (const name of NAMINGS) {
    const held = Array.from({ length: COUNT }, (_, i) => isHeldOut(name(i), percent)).filter(Boolean).length;
    const expected = (COUNT * percent) / 100;
    const deviation = Math.sqrt(expected * (1 - percent / 100));
    expect(Math.abs(held - expected)).toBeLessThan(4 * deviation);
  }
});

test("only the name decides; a larger share holds out the same and more", () => {
  const percent = fc.double({ min: 0, max: 100, noNaN: true });
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), percent, percent, (root, a, b) => {
      expect(isHeldOut(root, a)).toBe(isHeldOut(root, a));
      if (isHeldOut(root, Math.min(a, b))) expect(isHeldOut(root, Math.max(a, b))).toBe(true);
      expect(isHeldOut(root, 0)).toBe(false);
      expect(isHeldOut(root, 100)).toBe(true);
    }),
  );
});

test("the choice stays the same in later versions: a conversation may outlive an update", () => {
  const held = Array.from({ length: 60 }, (_, i) => i).filter((i) => isHeldOut(`root ${i}`, 10));
  expect(held).toMatchInlineSnapshot(`
    [
      5,
      6,
      8,
      12,
      26,
      31,
      33,
      51,
      53,
    ]
  `);
});
