import { describe, expect, it } from "vitest";
import { decodedMessages, isDecoded } from "../../src/formats/decoded.ts";
import { formatByName } from "../../src/formats/detect.ts";
import type { MessageChanges } from "../../src/formats/format.ts";

const { decode } = formatByName("anthropic-messages");
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };
const user = decode({ role: "user", content: [{ type: "text", text: "Hi." }, image] });
const assistant = decode({
  role: "assistant",
  content: [
    { type: "thinking", thinking: "hm", signature: "s" },
    { type: "tool_use", id: "c", name: "write", input: { path: "a.ts", content: "x" } },
  ],
});
const result = decode({ role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: "ok" }] });

function change(slot: string, leaf: string, text: string): MessageChanges {
  return { leaves: new Map([[slot, new Map([[leaf, text]])]]), dropped: new Set() };
}

describe("isDecoded", () => {
  it.each<[string, readonly unknown[], boolean]>([
    ["decoded messages", [user, assistant, result], true],
    ["through JSON", JSON.parse(JSON.stringify([user, result])), true],
    ["nothing", [], false],
    ["one that is not", [user, { role: "user", content: "Hi." }], false],
    ["OpenCode's", [{ info: { role: "user" }, parts: [] }], false],
    ["others with parts", [{ role: "user", parts: [{ type: "text", text: "Hi." }] }], false],
  ])("%s", (_, messages, expected) => expect(isDecoded(messages)).toBe(expected));
});

describe("rewrite", () => {
  const { rewrite } = decodedMessages;

  it("without changes returns the very same object", () => {
    expect(rewrite(user, { leaves: new Map(), dropped: new Set() })).toBe(user);
  });

  it.each<[string, unknown, MessageChanges, object]>([
    ["a text", user, change("0", "text", "Ho."), { leaves: [{ id: "text", text: "Ho." }] }],
    ["an emptied text", user, change("0", "text", ""), { leaves: [{ id: "text", text: "—" }] }],
    [
      "a file becomes a text",
      user,
      change("1", "data", "[file]"),
      { kind: "text", leaves: [{ id: "text", text: "[file]" }] },
    ],
    [
      "a result",
      result,
      change("0", "output", "[cut]"),
      { kind: "result", leaves: [{ id: "output", text: "[cut]" }] },
    ],
    [
      "an input, and what it was parsed to",
      assistant,
      change("1", "input/content", ""),
      { input: { path: "a.ts", content: "" } },
    ],
  ])("%s", (_, message, changes, part) => {
    const before = structuredClone(message);
    const [slot] = changes.leaves.keys();
    expect(rewrite(message, changes)).toMatchObject({
      parts: expect.arrayContaining([expect.objectContaining({ slot, ...part })]),
    });
    expect(message).toEqual(before);
  });

  it("the part after a dropped one opens the step in its place", () => {
    const changes = { leaves: new Map(), dropped: new Set(["0"]) };
    expect(rewrite(assistant, changes)).toMatchObject({ parts: [{ slot: "1", opensStep: true }] });
    expect(rewrite(result, changes)).toBeUndefined();
  });
});
