import { describe, expect, it } from "vitest";
import {
  fingerprint,
  parseRestoreFile,
  type RestoreFile,
  restoreRecordingText,
} from "../../src/recordings/restore-file.ts";

const original = '{"a":"long ago"}\n{"b":"far away"}\n';
const pruned = '{"a":"…"}\n{"b":"—"}\n';
const restoreFile: RestoreFile = {
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
  it("restores the original", () => {
    expect(restoreRecordingText(pruned, restoreFile)).toEqual({ ok: true, value: original });
  });

  it("keeps text that was appended since", () => {
    expect(restoreRecordingText(`${pruned}{"c":1}\n`, restoreFile)).toEqual({
      ok: true,
      value: `${original}{"c":1}\n`,
    });
  });

  it("leaves an original unchanged", () => {
    expect(restoreRecordingText(original, restoreFile)).toEqual({ ok: true, value: original });
  });

  it.each([
    { name: "another file", text: '{"a":"—"}\n{"b":"…"}\n', says: "different content" },
    { name: "a shorter file", text: pruned.slice(0, 9), says: "one of 9 characters" },
    { name: "nothing", text: "", says: "one of 0 characters" },
  ])("refuses $name", ({ text, says }) => {
    const result = restoreRecordingText(text, restoreFile);
    expect(result).toMatchObject({ ok: false, issue: { code: "restore-file-mismatch", severity: "error" } });
    expect(!result.ok && result.issue.message).toContain(says);
  });

  it("refuses a restore file that was changed", () => {
    const changed = {
      ...restoreFile,
      splices: restoreFile.splices.map((splice) => ({ ...splice, was: '"now"' })),
    };
    const result = restoreRecordingText(pruned, changed);
    expect(!result.ok && result.issue.message).toContain("the restore file was changed");
  });
});

describe("parseRestoreFile", () => {
  it("reads its own output", () => {
    expect(parseRestoreFile(JSON.stringify(restoreFile))).toEqual({ ok: true, value: restoreFile });
  });

  it.each([
    { name: "what is cut off", json: JSON.stringify(restoreFile).slice(0, 40), says: "cut off" },
    { name: "something else", json: "[]", says: "not the restore file" },
    { name: "a newer version", json: JSON.stringify({ ...restoreFile, version: 2 }), says: "version 2" },
    {
      name: "one without splices",
      json: JSON.stringify({ ...restoreFile, splices: undefined }),
      says: "missing",
    },
    {
      name: "one with a broken splice",
      json: JSON.stringify({ ...restoreFile, splices: [{ at: 1 }] }),
      says: "missing",
    },
    { name: "one without hashes", json: JSON.stringify({ ...restoreFile, original: {} }), says: "missing" },
  ])("refuses $name", ({ json, says }) => {
    const result = parseRestoreFile(json);
    expect(result).toMatchObject({ ok: false, issue: { code: "restore-file-unreadable" } });
    expect(!result.ok && result.issue.message).toContain(says);
  });
});
