import fc from "fast-check";
import { expect, it } from "vitest";
import { storableRequest, storableText } from "../../src/stores/storable.ts";
import { expectInProportion } from "../growth.ts";

it("every text fits, and different ones stay different", () => {
  const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 400, size: "max" });
  const text = fc.oneof(units, fc.array(fc.constantFrom(0, 97, 0xd83d, 0xde00), { maxLength: 6 }));
  fc.assert(
    fc.property(text, text, (...lists) => {
      const [a = "", b = ""] = lists.map((list) => String.fromCharCode(...list));
      const [kept, other] = [storableText(a), storableText(b)];
      expect(kept.length).toBeLessThanOrEqual(200);
      expect(kept.isWellFormed() && !kept.includes("\0")).toBe(true);
      expect(kept === other).toBe(a === b);
    }),
  );
});

it("a very long text takes linear time", () => {
  for (const piece of ["x", "/", "\0", "\uD800", "\\/"])
    expectInProportion(200_000, (size) => {
      const text = piece.repeat(size);
      storableRequest({
        session: text,
        time: 0,
        client: text,
        model: text,
        folder: text,
        tokensWith: 0,
        tokensWithout: 0,
        cuts: 0,
      });
    });
});
