import { describe, expect, test } from "vitest";
import type { PartKey } from "../../src/transcript/part.ts";
import type { Ref } from "../../src/transcript/refs.ts";
import { isRef, mainLeaf, Refs, type RefTarget, wholePlace } from "../../src/transcript/refs.ts";
import { UndoLog } from "../../src/transcript/undo-log.ts";

const place: RefTarget = { part: "result:a#1" as PartKey, leaf: "output", from: 0, to: 10 };

/** Two places that differ in one property and would get the same ref. Some thousand of 16 million are enough. */
function findCollision(vary: (n: number) => Partial<RefTarget>): readonly [RefTarget, RefTarget] {
  const seen = new Map<Ref, RefTarget>();
  const refs = new Refs(new UndoLog());
  for (let n = 0; n < 100_000; n++) {
    const each = { ...place, ...vary(n) };
    const ref = refs.expect(each);
    const first = seen.get(ref);
    if (first) return [first, each];
    seen.set(ref, each);
  }
  throw new Error("no collision");
}

describe("two places that would get the same ref", () => {
  test.each<[string, (n: number) => Partial<RefTarget>]>([
    ["other parts", (n) => ({ part: `result:${n}#1` as PartKey })],
    ["other leaves", (n) => ({ leaf: `content/${n}` })],
    ["other starts", (n) => ({ from: n, to: 1_000_000 })],
    ["other ends", (n) => ({ to: n + 1 })],
  ])("%s: the first one gets it, the other another, and each is found by its own", (_, vary) => {
    const [first, second] = findCollision(vary);
    const refs = new Refs(new UndoLog());
    expect(refs.find(second)).toBeUndefined();
    const ref = refs.refOf(first);
    expect(ref).toBe(refs.expect(first));
    expect(refs.find(second)).toBeUndefined();
    const other = refs.refOf(second);
    expect(refs.mayName(other, second)).toBe(true);
    expect(other).not.toBe(ref);
    expect([refs.refOf(first), refs.refOf(second)]).toEqual([ref, other]);
    expect([refs.find(first), refs.find(second)]).toEqual([ref, other]);
    expect([refs.placeOf(ref), refs.placeOf(other)]).toEqual([first, second]);
  });

  test("who is first is forgotten with a rollback", () => {
    const [first, second] = findCollision((n) => ({ to: n + 1 }));
    const undoLog = new UndoLog();
    const refs = new Refs(undoLog);
    const ref = refs.refOf(first);
    undoLog.rollback(0);
    expect(refs.find(first)).toBeUndefined();
    expect(refs.placeOf(ref)).toBeUndefined();
    expect(refs.refOf(second)).toBe(ref);
  });
});

test.each([
  ["a1b2c3", true],
  ["000000", true],
  ["a1b2c", false],
  ["a1b2c34", false],
  ["xa1b2c3", false],
  ["a1b2c3 ", false],
  ["A1B2C3", false],
  ["a1b2g3", false],
  ["", false],
])("is %j a ref: %s", (text, expected) => {
  expect(isRef(text)).toBe(expected);
});

test.each<[string, readonly string[], number | undefined]>([
  ["none", [], undefined],
  ["only empty ones", ["", ""], undefined],
  ["one", ["a"], 0],
  ["the longest", ["a", "ccc", "bb"], 1],
  ["of equals the first", ["", "aa", "bb"], 1],
])("the text that represents a part: %s", (_, texts, expected) => {
  const leaves = texts.map((text, i) => ({ id: `${i}`, text }));
  expect(mainLeaf(leaves)).toBe(expected === undefined ? undefined : leaves[expected]);
  const whole = expected === undefined ? undefined : { leaf: `${expected}`, to: texts[expected]?.length };
  const found = wholePlace(place.part, leaves);
  if (whole) expect(found).toEqual({ part: place.part, from: 0, ...whole });
  else expect(found).toBeUndefined();
});
