import { describe, expect, test } from "vitest";
import { pruneText } from "../../src/cli/prune-text.ts";
import { DEFAULT_CONFIG } from "../../src/config/defaults.ts";
import { restoreRecordingText } from "../../src/recordings/restore-file.ts";
import { textOf } from "../conversation.ts";

const fence = (seed: number) => `See:\n\`\`\`ts\n${textOf(900, seed)}\n\`\`\`\nThat is all.`;
const settings = { config: DEFAULT_CONFIG, mode: undefined };

const chat = JSON.stringify([
  { role: "user", content: fence(1) },
  { role: "assistant", content: "Seen." },
  { role: "user", content: fence(2) },
  { role: "assistant", content: fence(3) },
  { role: "user", content: fence(4) },
]);

const piEntries = [
  { type: "session", version: 3, id: "s1", cwd: "/w" },
  { type: "message", message: { role: "user", content: [{ type: "text", text: fence(1) }] } },
  { type: "custom_message", customType: "notes", content: fence(2), display: true },
  { type: "message", message: { role: "assistant", content: [{ type: "text", text: fence(3) }] } },
  { type: "message", message: { role: "user", content: fence(4) } },
];
const pi = piEntries
  .map((entry, i) => ({ ...entry, id: `e${i}`, parentId: i < 2 ? null : `e${i - 1}` }))
  .map((entry) => `${JSON.stringify(entry)}\n`)
  .join("");

describe.each([
  ["chat", chat],
  ["pi", pi],
])("--shake of a %s session", (_, text) => {
  test.each(["usual", "aggressive"] as const)("%s: removes user text, except the newest message", (shake) => {
    const config = {
      ...DEFAULT_CONFIG,
      strategies: {
        ...DEFAULT_CONFIG.strategies,
        shake: { ...DEFAULT_CONFIG.strategies.shake, protectTokens: 0, minSavings: 0 },
      },
    };
    const pruned = pruneText(text, { name: "x", settings: { ...settings, config }, shake });
    if (!pruned.ok) throw new Error(pruned.issue.message);
    const isCut = (seed: number) => !pruned.value.text.includes(`value${seed} = compute`);
    expect([1, 2, 3, 4].map(isCut)).toEqual([true, true, true, false]);
    expect(pruned.value.text.match(/\[shaken ~\d+ tokens · recall [0-9a-f]{6}\]/g)).toHaveLength(3);
    expect(restoreRecordingText(pruned.value.text, pruned.value.restoreFile)).toEqual({
      ok: true,
      value: text,
    });
  });
});
