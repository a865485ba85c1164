import { expect, test } from "vitest";
import { listRefs, readRef } from "../../src/agent/long-ref.ts";
import { readPartTarget } from "../../src/agent/prune-input.ts";

test.each<[string, string, string | undefined]>([
  ["a1b2c3", "a1b2c3", undefined],
  ["a1b2c3@9f2c", "a1b2c3", "9f2c"],
  ["a1b2c3@9f2c0123456789ab", "a1b2c3", "9f2c0123456789ab"],
  // Malformed refs stay unchanged, so that the answer can quote them.
  ["a1b2c3@", "a1b2c3@", undefined],
  ["a1b2c3@xyz", "a1b2c3@xyz", undefined],
  ["A1B2C3@9f2c", "A1B2C3@9f2c", undefined],
  ["a1b2c3@9f2c@9f2c", "a1b2c3@9f2c@9f2c", undefined],
  ["d4e5f6@9f8e7d:120-480", "d4e5f6@9f8e7d:120-480", undefined],
])("%s means %s in %s", (written, ref, root) => {
  expect(readRef(written)).toEqual({ ref, ...(root !== undefined && { root }) });
  expect(readPartTarget(written)?.ref).toBe(ref);
  expect(readPartTarget([written, "Summary."])).toEqual({ ref, summary: "Summary." });
});

test("refs are listed once, with the root that was given", () => {
  expect(listRefs(["a1b2c3@9f2c", "a1b2c3@9f2c", "no", 7, undefined, "d4e5f6"])).toEqual([
    { ref: "a1b2c3", root: "9f2c" },
    { ref: "d4e5f6" },
  ]);
});
