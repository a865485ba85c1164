import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findPartialOverlap, renderLeaf, type SpanText, showing } from "../../src/edits/leaf-edits.ts";

const original = "0123456789abcdefghij";

const span = fc
  .tuple(fc.nat(original.length - 1), fc.integer({ min: 1, max: original.length }))
  .map(([from, size]) => ({ from, to: Math.min(original.length, from + size) }));

/** Edits as a ledger has them: without partial overlaps. `‹n›` names the n-th. */
const leafEdits: fc.Arbitrary<readonly SpanText[]> = fc.array(span, { maxLength: 12 }).map((spans) => {
  const accepted: SpanText[] = [];
  for (const each of spans) {
    if (!findPartialOverlap(accepted, each)) accepted.push({ ...each, text: `‹${accepted.length}›` });
  }
  return accepted;
});

const distinct = leafEdits.map((edits) =>
  edits.filter((a, i) => !edits.slice(0, i).some((b) => a.from === b.from && a.to === b.to)),
);

describe("examples", () => {
  test.each<[string, readonly SpanText[], string]>([
    ["none", [], "abcdef"],
    ["one", [{ from: 1, to: 3, text: "-" }], "a-def"],
    ["a lossless one", [{ from: 0, to: 6, text: "bcdef", lossless: true }], "bcdef"],
    [
      "the rest of the text has its form",
      [
        { from: 0, to: 6, text: "cdef", lossless: true },
        { from: 3, to: 5, text: "-" },
      ],
      "c-f",
    ],
    [
      "but not if everything is cut",
      [
        { from: 0, to: 6, text: "mark\ncdef", lossless: true },
        { from: 0, to: 6, text: "gone" },
      ],
      "gone",
    ],
    [
      "outermost shows",
      [
        { from: 2, to: 3, text: "i" },
        { from: 1, to: 5, text: "O" },
      ],
      "aOf",
    ],
    [
      "also when it came first",
      [
        { from: 1, to: 5, text: "O" },
        { from: 2, to: 3, text: "i" },
      ],
      "aOf",
    ],
    [
      "same span, last wins",
      [
        { from: 1, to: 3, text: "x" },
        { from: 1, to: 3, text: "y" },
      ],
      "aydef",
    ],
    [
      "disjoint, any order",
      [
        { from: 4, to: 6, text: "Z" },
        { from: 0, to: 1, text: "A" },
      ],
      "AbcdZ",
    ],
    [
      "touching",
      [
        { from: 0, to: 3, text: "A" },
        { from: 3, to: 6, text: "B" },
      ],
      "AB",
    ],
    [
      "same start, the longer one shows",
      [
        { from: 0, to: 2, text: "s" },
        { from: 0, to: 4, text: "L" },
      ],
      "Lef",
    ],
  ])("%s", (_, edits, expected) => {
    expect(renderLeaf("abcdef", edits)).toBe(expected);
  });

  test.each([
    [{ from: 0, to: 3 }, { from: 2, to: 5 }, true],
    [{ from: 2, to: 5 }, { from: 0, to: 3 }, true],
    [{ from: 0, to: 5 }, { from: 2, to: 5 }, false],
    [{ from: 0, to: 3 }, { from: 3, to: 5 }, false],
    [{ from: 1, to: 2 }, { from: 1, to: 2 }, false],
  ])("%o and %o overlap in part: %s", (a, b, expected) => {
    expect(findPartialOverlap([{ ...a, text: "" }], b) !== undefined).toBe(expected);
  });
});

describe("properties", () => {
  test("applying is order-free", () => {
    fc.assert(
      fc.property(
        distinct.chain((edits) =>
          fc.tuple(fc.constant(edits), fc.shuffledSubarray([...edits], { minLength: edits.length })),
        ),
        ([edits, shuffled]) => {
          expect(renderLeaf(original, shuffled)).toBe(renderLeaf(original, edits));
        },
      ),
      { numRuns: 1_000, endOnFailure: true },
    );
  });

  test("undoing one shows the same as the others alone", () => {
    fc.assert(
      fc.property(leafEdits, fc.nat(20), (edits, which) => {
        const rest = edits.filter((_, i) => i !== which);
        const taken = edits[which];
        if (taken && !showing(edits).includes(taken))
          expect(renderLeaf(original, rest)).toBe(renderLeaf(original, edits));
        let previous = rest;
        while (previous.length > 0) previous = previous.slice(1);
        expect(renderLeaf(original, previous)).toBe(original);
      }),
      { numRuns: 1_000, endOnFailure: true },
    );
  });

  test("every byte is accounted for: the view has kept text and outermost replacements, never nested ones", () => {
    fc.assert(
      fc.property(leafEdits, (edits) => {
        const shown = showing(edits);
        const covered = new Set<number>();
        for (const { from, to } of shown) {
          for (let i = from; i < to; i++) {
            expect(covered.has(i)).toBe(false);
            covered.add(i);
          }
        }
        for (const { from, to } of edits) for (let i = from; i < to; i++) expect(covered.has(i)).toBe(true);
        const kept = [...original].filter((_, i) => !covered.has(i)).join("");
        expect(renderLeaf(original, edits).replace(/‹\d+›/g, "")).toBe(kept);
      }),
      { numRuns: 1_000, endOnFailure: true },
    );
  });

  test("a partial overlap is refused, whichever comes first", () => {
    fc.assert(
      fc.property(span, span, (a, b) => {
        const forward = findPartialOverlap([{ ...a, text: "" }], b) !== undefined;
        const backward = findPartialOverlap([{ ...b, text: "" }], a) !== undefined;
        const disjoint = a.to <= b.from || b.to <= a.from;
        const nested = (a.from <= b.from && b.to <= a.to) || (b.from <= a.from && a.to <= b.to);
        expect(forward).toBe(backward);
        expect(forward).toBe(!disjoint && !nested);
      }),
      { numRuns: 1_000, endOnFailure: true },
    );
  });
});
