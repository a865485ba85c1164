import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { detectFormat, formatByName } from "../../src/formats/detect.ts";
import type { FormatName } from "../../src/formats/format.ts";
import { changesOf, dropCalls } from "./conformance.ts";

// Recorded sessions are not part of the project: where they are missing these tests are skipped.
const sessions = path.resolve("../shared/data/sessions");

const recorded: readonly (readonly [folder: string, field: string, format: FormatName])[] = [
  ["opencode", "messages", "opencode"],
  ["openhands-completion", "messages", "openai-chat"],
  ["mini-swe-agent", "messages", "openai-chat"],
  ["gemini-cli", "", "gemini"],
];

describe.skipIf(!existsSync(sessions)).each(recorded)("recorded sessions of %s", (folder, field, name) => {
  const files = existsSync(sessions) ? readdirSync(path.join(sessions, folder)) : [];
  const format = formatByName(name);

  it.each(files)("%s", (file) => {
    const text = gunzipSync(readFileSync(path.join(sessions, folder, file))).toString();
    const document = JSON.parse(text);
    const messages: readonly unknown[] = field === "" ? document : document[field];
    // Gemini CLI's log is a recording; only files of /chat are contents.
    if (!Array.isArray(messages)) return;
    expect(detectFormat(messages)).toBe(name);
    const errors = (list: readonly unknown[]) =>
      format.validate(list, "none").flatMap(({ code, severity }) => (severity === "error" ? [code] : []));
    const before = errors(messages);
    for (const message of messages) {
      const { parts } = format.decode(message);
      expect(format.rewrite(message, changesOf())).toBe(message);
      const cut = parts.flatMap((part) =>
        part.kind === "result" ? part.leaves.map(({ id }) => [part.slot, id, "[cut]"] as const) : [],
      );
      const after = format.decode(format.rewrite(message, changesOf(cut))).parts;
      expect(after.map(({ kind, slot }) => [kind, slot])).toEqual(
        parts.map(({ kind, slot }) => [kind, slot]),
      );
      for (const part of after)
        if (part.kind === "result") for (const leaf of part.leaves) expect(leaf.text).toBe("[cut]");
    }
    const ids = messages.flatMap((message) =>
      format.decode(message).parts.flatMap((part) => (part.kind === "call" ? [part.callId] : [])),
    );
    const emptied = errors(dropCalls(format, messages, ids));
    expect(emptied.filter((code) => !before.includes(code))).toEqual([]);
    expect(ids.length).toBeGreaterThan(0);
  });
});
