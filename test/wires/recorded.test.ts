import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { isRecord } from "../../src/basics/json.ts";
import type { FormatName } from "../../src/formats/format.ts";
import { createPruner } from "../../src/pruner.ts";
import { readRecording } from "../../src/recordings/files.ts";
import type { MessageMeta } from "../../src/transcript/message.ts";
import { recorded, samples } from "../recordings/list-recorded.ts";
import { bodyOf, mustReadBody, WIRE_OF, wireNamed } from "./bodies.ts";

interface Recorded {
  readonly format: FormatName;
  readonly messages: readonly unknown[];
  readonly meta: readonly MessageMeta[];
}

/** Codex's files hold the very items that it sent, which are read as another format. */
function readItems(file: string): Recorded {
  const text = gunzipSync(readFileSync(file)).toString();
  const messages = text.split("\n").flatMap((line) => {
    const record: unknown = line.trim() === "" ? undefined : JSON.parse(line);
    return isRecord(record) && record.type === "response_item" ? [record.payload] : [];
  });
  return { format: "openai-responses", messages, meta: [] };
}

async function readSegments(file: string): Promise<readonly Recorded[]> {
  const read = await readRecording(file);
  if (!read.ok) throw new Error(read.issue.message);
  const { format, segments, source } = read.value;
  const items = source === "codex" ? [readItems(file)] : [];
  return [...segments.map(({ messages, meta }) => ({ format, messages, meta })), ...items];
}

describe("recorded sessions, as request bodies", () => {
  const changed = new Map<string, number>();

  it.each([...samples, ...recorded])("%s", async (file) => {
    for (const { format, messages, meta } of await readSegments(file)) {
      const name = WIRE_OF[format];
      if (!name || messages.length === 0) continue;
      const pruner = createPruner({ format, agentTools: true, config: { schedule: { mode: "eager" } } });
      const body = JSON.stringify(bodyOf(name, messages));
      const request = mustReadBody(name, body);
      const pruned = pruner.prune(request.messages, { meta });
      const written = wireNamed(name).write(request, pruned.messages, pruned.sources) ?? "";
      const expected = JSON.stringify(bodyOf(name, pruned.messages));
      // Not `toEqual`: its message would hold both.
      expect(JSON.stringify(JSON.parse(written)) === JSON.stringify(JSON.parse(expected))).toBe(true);
      if (written !== body) changed.set(name, (changed.get(name) ?? 0) + 1);
    }
  });

  it("had text to cut, on every wire", () => {
    expect(samples.length).toBeGreaterThan(0);
    if (recorded.length === 0) return;
    for (const name of Object.values(WIRE_OF)) expect(changed.get(name) ?? 0, name).toBeGreaterThan(3);
  });
});
