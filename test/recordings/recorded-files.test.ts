import { describe, expect, it } from "vitest";
import { readRecordingText } from "../../src/recordings/files.ts";
import { parseRecording } from "../../src/recordings/parse-recording.ts";
import { pruneRecordingText } from "../../src/recordings/prune-file.ts";
import { restoreRecordingText } from "../../src/recordings/restore-file.ts";
import { recorded, samples } from "./list-recorded.ts";
import { mustRead } from "./parse.ts";

describe("recorded sessions, pruned", () => {
  let cuts = 0;

  it.each([...samples, ...recorded])("%s comes back byte for byte", async (file) => {
    const read = await readRecordingText(file);
    if (!read.ok) throw new Error(read.issue.message);
    const { text } = read.value;
    const pruned = pruneRecordingText(text);
    if (!pruned.ok) throw new Error(pruned.issue.message);
    const { text: shorter, restoreFile, report } = pruned.value;
    cuts += report.cuts;
    expect(shorter.length - text.length).toBe(report.characters.after - report.characters.before);
    expect(shorter === text).toBe(report.cuts === 0);
    expect(report.left).toBeLessThanOrEqual(Math.max(1, report.cuts / 10));
    const [before, after] = [mustRead(parseRecording(text)), mustRead(parseRecording(shorter))];
    expect(after.source).toBe(before.source);
    expect(after.segments.map(({ messages }) => messages.length)).toEqual(
      before.segments.map(({ messages }) => messages.length),
    );
    const restored = restoreRecordingText(shorter, restoreFile);
    // Not `toBe`: its message would hold both files.
    expect(restored.ok && restored.value === text).toBe(true);
  });

  it("had text to cut", () => {
    expect(samples.length).toBeGreaterThan(0);
    expect(cuts).toBeGreaterThan(recorded.length > 0 ? 500 : 0);
  });
});
