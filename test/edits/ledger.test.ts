import { expect, test } from "vitest";
import type { Cut, EditId } from "../../src/edits/edit.ts";
import { Ledger } from "../../src/edits/ledger.ts";
import type { PartKey } from "../../src/transcript/part.ts";
import type { Ref } from "../../src/transcript/refs.ts";
import { UndoLog } from "../../src/transcript/undo-log.ts";

const key = (name: string) => name as PartKey;
const base = { author: "test", reason: "old", saved: 9 } as const;

/** A ledger with active cuts of two parts, one of which refers to a third. */
function makeLedger() {
  const undoLog = new UndoLog();
  const ledger = new Ledger(undoLog);
  const ref = "a1b2c3" as Ref;
  const replace = (part: string, needs: readonly string[] = []): Cut => ({
    ...base,
    type: "replace",
    id: ledger.nextId(ref),
    ref,
    part: key(part),
    leaf: "output",
    from: 0,
    to: 10,
    text: "[cut]",
    original: { length: 10, hash: "0" },
    needs: needs.map(key),
  });
  const drop = (...parts: readonly string[]): Cut => {
    const other = "d4e5f6" as Ref;
    const [part = ""] = parts;
    return {
      ...base,
      type: "drop",
      id: ledger.nextId(other),
      ref: other,
      part: key(part),
      parts: parts.map(key),
      needs: [],
    };
  };
  const record = (cut: Cut) => ({ cut, touched: ledger.record(cut, 1) });
  const undo = (target: EditId) =>
    ledger.record({ type: "undo", target, author: "test", reason: "", saved: 0 }, 2);
  return { journal: undoLog, ledger, replace, drop, record, undo };
}

test("every edit of a place has its own id, whatever was undone in between", () => {
  const { ledger, replace, record, undo } = makeLedger();
  const ids: EditId[] = [];
  for (let i = 0; i < 4; i++) {
    const { cut } = record(replace("a"));
    ids.push(cut.id);
    if (i % 2 === 0) undo(cut.id);
  }
  expect(ids).toEqual(["a1b2c3.1", "a1b2c3.2", "a1b2c3.3", "a1b2c3.4"]);
  expect(ledger.active().map(({ id }) => id)).toEqual(["a1b2c3.2", "a1b2c3.4"]);
  expect(ledger.replacements(key("a")).map(({ id }) => id)).toEqual(["a1b2c3.2", "a1b2c3.4"]);
  expect(ledger.entries.length).toBe(6);
});

test("the parts that an edit touches, and the active edits after its undo", () => {
  const { ledger, replace, drop, record, undo } = makeLedger();
  const one = record(replace("a", ["c"]));
  const two = record(drop("a", "b"));
  expect([one.touched, two.touched]).toEqual([["a"], ["a", "b"]]);
  const look = () => ["a", "b", "c"].map((part) => [ledger.isCut(key(part)), ledger.isDropped(key(part))]);
  const all = [
    [true, true],
    [true, true],
    [false, false],
  ];
  expect(look()).toEqual(all);
  expect(ledger.cutsOf(key("a"))).toEqual([one.cut, two.cut]);
  expect(ledger.neededBy(key("c"))).toBe(one.cut.id);
  expect(undo(two.cut.id)).toEqual(["a", "b"]);
  expect(look()).toEqual([
    [true, false],
    [false, false],
    [false, false],
  ]);
  expect(undo(two.cut.id), "a second time").toEqual([]);
  expect(undo("000000.1" as EditId), "what never was").toEqual([]);
  expect(undo(one.cut.id)).toEqual(["a"]);
  expect(look().flat()).not.toContain(true);
  expect(ledger.neededBy(key("c"))).toBeUndefined();
  expect(ledger.active()).toEqual([]);
});

test("one of two edits that refer to a part is enough to protect it", () => {
  const { ledger, replace, record, undo } = makeLedger();
  const [one, two] = [record(replace("a", ["c"])), record(replace("b", ["c"]))];
  undo(one.cut.id);
  expect(ledger.neededBy(key("c"))).toBe(two.cut.id);
  undo(two.cut.id);
  expect(ledger.neededBy(key("c"))).toBeUndefined();
});

test("a rollback leaves no trace", () => {
  const { journal: undoLog, ledger, replace, drop, record, undo } = makeLedger();
  const kept = record(replace("a"));
  const look = () => [
    ledger.active(),
    ledger.entries.length,
    ledger.nextId("a1b2c3" as Ref),
    ...["a", "b", "c"].map((part) => [ledger.cutsOf(key(part)), ledger.neededBy(key(part))]),
  ];
  const before = look();
  const mark = undoLog.mark();
  undo(kept.cut.id);
  record(replace("a", ["c"]));
  record(drop("a", "b"));
  undoLog.rollback(mark);
  expect(look()).toEqual(before);
});
