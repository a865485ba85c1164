import { describe, expect, test } from "vitest";
import { Mentions, spell } from "../../src/facts/mentions.ts";
import { UndoLog } from "../../src/transcript/undo-log.ts";

function read(...texts: readonly string[]): Mentions {
  const mentions = new Mentions(new UndoLog());
  for (const [at, text] of texts.entries()) mentions.ingest(text, at);
  return mentions;
}

const ENGINE = "/repo/src/shared/engine.ts";

describe("a text names a file", () => {
  test.each([
    ["look at engine.ts", ENGINE],
    ["look at `engine.ts`.", ENGINE],
    ["(see shared/engine.ts:42)", ENGINE],
    ["src/shared/engine.ts and others", ENGINE],
    ["./src/shared/engine.ts", ENGINE],
    ["@src/shared/engine.ts", "src/shared/engine.ts"],
    ["/repo/src/shared/engine.ts", "src/shared/engine.ts"],
    ["C:\\repo\\src\\engine.ts", "C:/repo/src/engine.ts"],
    ["see src/größe.ts", "/repo/src/größe.ts"],
  ])("%s", (text, path) => {
    expect(read(text).fileAt(spell(path))).toBe(0);
  });

  test.each([
    ["see other/engine.ts", ENGINE],
    ["see src/engine.ts", ENGINE],
    ["my-engine.ts", ENGINE],
    ["engine.tsx", ENGINE],
    ["the engine", ENGINE],
    ["e.g. this, i.e. that", "/repo/e.g"],
  ])("not: %s", (text, path) => {
    expect(read(text).fileAt(spell(path))).toBe(-1);
  });

  test("the last time counts", () => {
    expect(read("engine.ts", "nothing", "shared/engine.ts", "main.ts").fileAt(spell(ENGINE))).toBe(2);
  });
});

describe("a text names a folder", () => {
  test.each(["in src/shared", "in src/shared/", "in shared/", "/repo/src/"])("%s", (text) => {
    expect(read(text).folderAt(spell(ENGINE))).toBe(0);
  });

  test.each(["it is shared", "in src/other", "src/shared/engine.ts"])("not: %s", (text) => {
    expect(read(text).folderAt(spell(ENGINE))).toBe(-1);
  });
});

test("after a rollback, nothing is named", () => {
  const undoLog = new UndoLog();
  const mentions = new Mentions(undoLog);
  mentions.ingest("a/b/engine.ts", 1);
  const mark = undoLog.mark();
  mentions.ingest("src/shared/engine.ts and a/b/engine.ts", 2);
  undoLog.rollback(mark);
  expect(mentions.fileAt(spell(ENGINE))).toBe(-1);
  expect(mentions.fileAt(spell("a/b/engine.ts"))).toBe(1);
});
