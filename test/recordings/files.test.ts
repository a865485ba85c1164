import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readRecording, readRecordingText, writeRecordingText } from "../../src/recordings/files.ts";

const session =
  '{"type":"session","id":"s1","cwd":"/w"}\n{"type":"message","message":{"role":"user","content":"grüße"}}\n';
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "coppice-recordings-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function write(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

describe("readRecording", () => {
  it.each([
    { name: "plain.jsonl", content: session },
    { name: "packed.jsonl.gz", content: gzipSync(session) },
    { name: "packed-without-saying-so.jsonl", content: gzipSync(session) },
  ])("reads $name", async ({ name, content }) => {
    const result = await readRecording(await write(name, content));
    expect(result).toMatchObject({ ok: true, value: { source: "pi", session: "s1" } });
    expect(result.ok && result.value.segments[0]?.messages).toEqual([{ role: "user", content: "grüße" }]);
  });

  it.each([
    { name: "empty.jsonl", content: "", code: "empty-input", says: "the file is empty" },
    { name: "text.txt", content: "dear diary", code: "not-a-recording", says: "It looked for" },
    {
      name: "picture.png",
      content: Uint8Array.of(0x89, 0x50, 0, 1, 2),
      code: "unreadable-input",
      says: "binary",
    },
    {
      name: "cut.gz",
      content: gzipSync(session).subarray(0, 30),
      code: "unreadable-input",
      says: "damaged or cut off",
    },
    {
      name: "tiny.gz",
      content: Uint8Array.of(0x1f, 0x8b),
      code: "unreadable-input",
      says: "damaged or cut off",
    },
  ])("reports the problem with $name", async ({ name, content, code, says }) => {
    const path = await write(name, content);
    const result = await readRecording(path);
    expect(result).toMatchObject({ ok: false, issue: { code, where: path } });
    expect(!result.ok && result.issue.message).toContain(says);
  });

  it("reports a missing file, and a folder", async () => {
    const missing = await readRecording(join(folder, "missing.jsonl"));
    expect(!missing.ok && missing.issue.message).toContain("the file does not exist");
    await mkdir(join(folder, "folder"));
    const directory = await readRecording(join(folder, "folder"));
    expect(!directory.ok && directory.issue.message).toContain("folder");
  });

  it("names the file and the line that is broken", async () => {
    const path = await write("broken.jsonl", `${session}{"type":`);
    const result = await readRecording(path);
    expect(result).toMatchObject({ ok: true, value: { skipped: 1, issues: [{ where: `${path}:3` }] } });
  });
});

describe("readRecordingText and writeRecordingText", () => {
  it.each([
    { name: "again.jsonl", content: Buffer.from(`\uFEFF${session}`), unpack: (bytes: Buffer) => bytes },
    { name: "again.jsonl.gz", content: gzipSync(session), unpack: (bytes: Buffer) => gunzipSync(bytes) },
  ])("give the same bytes of $name", async ({ name, content, unpack }) => {
    const path = await write(name, content);
    const read = await readRecordingText(path);
    if (!read.ok) throw new Error(read.issue.message);
    const target = join(folder, `copy-of-${name}`);
    await writeRecordingText(target, read.value);
    expect(unpack(await readFile(target)).equals(unpack(content))).toBe(true);
    expect(read.value.packed).toBe(name.endsWith(".gz"));
  });

  it("refuse a file that is not UTF-8, and one that does not exist", async () => {
    const path = await write(
      "latin-1.jsonl",
      Buffer.from('{"role":"user","content":"gr\xfc\xdfe"}', "latin1"),
    );
    const result = await readRecordingText(path);
    expect(result).toMatchObject({ ok: false, issue: { code: "unreadable-input", where: path } });
    expect(!result.ok && result.issue.message).toContain("not UTF-8");
    expect(await readRecordingText(join(folder, "missing"))).toMatchObject({ ok: false });
  });
});

it("a new file is the user's own, and one that is written again keeps its mode", async () => {
  const content = { text: session, packed: false };
  const path = join(folder, "modes.jsonl");
  await writeRecordingText(path, content);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  for (const mode of [0o644, 0o664, 0o640]) {
    await chmod(path, mode);
    await writeRecordingText(path, content);
    expect((await stat(path)).mode & 0o777).toBe(mode);
  }
});
