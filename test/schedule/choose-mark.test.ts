import { expect, test } from "vitest";
import { chooseMark } from "../../src/schedule/choose-mark.ts";

const entriesAt = (...places: readonly number[]) =>
  places.map((blocks) => ({ blocks, tokens: 100 * blocks, usedAt: 0, ttl: 300_000 }));

test.each<[string, Partial<Parameters<typeof chooseMark>[0]>, number | undefined]>([
  ["before the newest input", {}, 198],
  ["further back if no mark can be there", { isMarkable: (blocks) => blocks <= 190 }, 190],
  ["nowhere if no mark can be anywhere", { isMarkable: () => false }, undefined],
  ["on the entry that a cut has left", { changed: 40 }, 38],
  ["not on that entry if the client's marks find it", { changed: 190 }, 198],
  ["not on the system prompt, which has a mark", { changed: 10 }, 198],
])("Coppice's own mark: %s", (_, terms, place) => {
  const marked = chooseMark({
    entries: entriesAt(0, 38, 185, 198),
    marks: [{ blocks: 0 }, { blocks: 200 }],
    changed: 200,
    unsentFrom: 198,
    isMarkable: () => true,
    ...terms,
  });
  expect(marked).toBe(place);
});
