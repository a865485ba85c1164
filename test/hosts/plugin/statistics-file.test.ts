import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StatisticsFile } from "../../../src/hosts/plugin/statistics-file.ts";
import type { Statistics } from "../../../src/reports/statistics.ts";

let folder: string;
let file: StatisticsFile;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "coppice-statistics-"));
  file = new StatisticsFile(join(folder, "deep/statistics.json"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const make = (cuts: number): Statistics => ({
  cuts: { hash: { cuts, tokens: 10 * cuts } },
  saved: 10 * cuts,
  billSaved: 5 * cuts,
  dollarsSaved: cuts / 100,
  input: { total: 100, fromCache: 50 },
  deferred: { cuts: 0, tokens: 0 },
});

describe("the statistics file", () => {
  it("adds sessions up", () => {
    file.record("one", make(1));
    file.record("two", make(2));
    expect(file.total()).toMatchObject({ cuts: { hash: { cuts: 3, tokens: 30 } }, saved: 30, billSaved: 15 });
    expect(file.total().input).toEqual({ total: 200, fromCache: 100 });
  });

  it("is for its owner's eyes, and so is the folder that it makes", () => {
    file.record("one", make(1));
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(file.path)).mode & 0o777).toBe(0o700);
    chmodSync(file.path, 0o644);
    file.record("two", make(2));
    expect(statSync(file.path).mode & 0o777).toBe(0o600);
  });

  it("counts a session once, however often it is reported", () => {
    for (const cuts of [1, 2, 3]) file.record("one", make(cuts));
    expect(new StatisticsFile(file.path).total()).toEqual(make(3));
  });

  it("stays small: old sessions are kept as one sum", () => {
    for (let i = 0; i < 450; i++) file.record(`session ${i}`, make(1));
    expect(file.total().cuts.hash?.cuts).toBe(450);
    const { sessions } = JSON.parse(readFileSync(file.path, "utf8")) as { sessions: object };
    expect(Object.keys(sessions)).toHaveLength(200);
    expect(Object.keys(sessions).at(-1)).toBe("session 449");
  });

  it("leaves no drafts behind", () => {
    file.record("one", make(1));
    expect(readdirSync(dirname(file.path))).toEqual(["statistics.json"]);
  });

  it.each(["", "{", "[]", "null", '{"sessions":{"a":5,"b":{"cuts":{"hash":"x"},"saved":"1"}},"earlier":[]}'])(
    "starts again if it finds %j",
    (text) => {
      file.record("one", make(1));
      writeFileSync(file.path, text);
      file.record("two", make(2));
      expect(file.total()).toMatchObject({ saved: 20 });
    },
  );

  it("reports nothing if it cannot write", () => {
    const blocked = new StatisticsFile(join(folder, "file", "statistics.json"));
    writeFileSync(join(folder, "file"), "not a folder");
    chmodSync(join(folder, "file"), 0o400);
    expect(() => blocked.record("one", make(1))).not.toThrow();
    expect(blocked.total().saved).toBe(0);
  });
});
