import { expect, test } from "vitest";
import { alignItems } from "../../../src/wires/splice/align-items.ts";

const [a, b, c, d] = [{ k: "a" }, { k: "b", x: 1 }, { k: "c" }, { k: "d", x: 2, y: 3 }];
const changed = (item: object) => ({ ...item, k: "changed" });
const added = { k: "n", note: true };

test.each<[string, readonly unknown[], readonly unknown[], readonly (number | undefined)[]]>([
  ["the same", [a, b], [a, b], [0, 1]],
  ["one gone", [a, b, c], [a, c], [0, 2]],
  ["one changed", [a, b, c], [a, changed(b), c], [0, 1, 2]],
  ["all changed", [a, b], [changed(a), changed(b)], [0, 1]],
  ["one added", [a, b], [a, b, added], [0, 1, undefined]],
  ["one added, one changed", [a, b], [a, changed(b), added], [0, 1, undefined]],
  ["one gone, the next changed", [a, b, c], [changed(b), c], [1, 2]],
  ["two gone, between them one changed", [a, b, a, d], [changed(b), changed(d)], [1, 3]],
  ["gone and changed at the end", [a, b, d], [a, changed(d)], [0, 2]],
  ["nothing left", [a, b], [], []],
  ["from nothing", [], [a], [undefined]],
  ["turned round", [a, b], [b, a], [1, undefined]],
  ["texts", ["x", "y", "z"], ["x", "z"], [0, 2]],
  ["numbers in place", [1, 2, 3], [1, 5, 3], [0, 1, 2]],
])("%s", (_, old, next, sources) => {
  expect(alignItems(old, next)).toEqual(sources);
});
