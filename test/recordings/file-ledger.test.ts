import { describe, expect, it } from "vitest";
import {
  type FileLedger,
  fingerprint,
  parseFileLedger,
  restoreRecordingText,
} from "../../src/recordings/file-ledger.ts";

const original = '{"a":"long ago"}\n{"b":"far away"}\n';
const pruned = '{"a":"…"}\n{"b":"—"}\n';
const ledger: FileLedger = {
  version: 1,
  source: "messages",
  original: fingerprint(original),
  pruned: fingerprint(pruned),
  splices: [
    { at: 5, length: 3, was: '"long ago"' },
    { at: 15, length: 3, was: '"far away"' },
  ],
  edits: [{ ref: "a1b2c3", author: "x", reason: "y", original: "long ago", text: "…", saved: 1 }],
};

describe("restoreRecordingText", () => {
  it("gives the original back", () => {
    expect(restoreRecordingText(pruned, ledger)).toEqual({ ok: true, value: original });
  });

  it("keeps what was appended since", () => {
    expect(restoreRecordingText(`${pruned}{"c":1}\n`, ledger)).toEqual({
      ok: true,
      value: `${original}{"c":1}\n`,
    });
  });

  it("leaves an original alone", () => {
    expect(restoreRecordingText(original, ledger)).toEqual({ ok: true, value: original });
  });

  it.each([
    { name: "another file", text: '{"a":"—"}\n{"b":"…"}\n', says: "other content" },
    { name: "a shorter file", text: pruned.slice(0, 9), says: "one of 9 characters" },
    { name: "nothing", text: "", says: "one of 0 characters" },
  ])("refuses $name", ({ text, says }) => {
    const result = restoreRecordingText(text, ledger);
    expect(result).toMatchObject({ ok: false, issue: { code: "ledger-mismatch", severity: "error" } });
    expect(!result.ok && result.issue.message).toContain(says);
  });

  it("refuses a ledger that was changed", () => {
    const changed = { ...ledger, splices: ledger.splices.map((splice) => ({ ...splice, was: '"now"' })) };
    const result = restoreRecordingText(pruned, changed);
    expect(!result.ok && result.issue.message).toContain("ledger itself was changed");
  });
});

describe("parseFileLedger", () => {
  it("reads what was written", () => {
    expect(parseFileLedger(JSON.stringify(ledger))).toEqual({ ok: true, value: ledger });
  });

  it.each([
    { name: "what is cut off", json: JSON.stringify(ledger).slice(0, 40), says: "cut off" },
    { name: "something else", json: "[]", says: "no ledger" },
    { name: "a newer version", json: JSON.stringify({ ...ledger, version: 2 }), says: "version 2" },
    { name: "one without splices", json: JSON.stringify({ ...ledger, splices: undefined }), says: "missing" },
    {
      name: "one with a broken splice",
      json: JSON.stringify({ ...ledger, splices: [{ at: 1 }] }),
      says: "missing",
    },
    { name: "one without hashes", json: JSON.stringify({ ...ledger, original: {} }), says: "missing" },
  ])("refuses $name", ({ json, says }) => {
    const result = parseFileLedger(json);
    expect(result).toMatchObject({ ok: false, issue: { code: "ledger-unreadable" } });
    expect(!result.ok && result.issue.message).toContain(says);
  });
});
