import { describe, expect, it } from "vitest";
import { readConversation, withoutTags } from "../../../src/hosts/opencode/messages.ts";
import { listUsages } from "../../../src/hosts/plugin/list-usages.ts";

const user = (created: number, modelID: string) => ({
  info: { role: "user", sessionID: "ses_1", time: { created }, model: { providerID: "p", modelID } },
  parts: [],
});

const result = (id: string, output: string) => ({
  info: { id, role: "assistant", sessionID: "ses_1", time: { created: 5 }, tokens: { input: 7, output: 1 } },
  parts: [
    { id, type: "tool", tool: "read", callID: id, state: { status: "completed", input: {}, output } },
    { id: `${id}t`, type: "text", text: "Seen." },
  ],
});

describe("a list of messages", () => {
  it("names the session, and the model of the newest user message by time", () => {
    expect(readConversation([user(9, "new"), user(3, "kept tail")])).toEqual({
      session: "ses_1",
      model: "new",
    });
    expect(readConversation([user(3, "old"), user(9, "new"), result("a", "x")])?.model).toBe("new");
    expect(readConversation([])).toBeUndefined();
    expect(readConversation([null, 5, { info: 3 }])).toBeUndefined();
  });

  it("has the usage that the provider reported", () => {
    expect(listUsages([user(1, "m"), result("a", "x")], "opencode")).toEqual([
      { input: 7, cacheRead: 0, cacheWrite: 0, output: 1 },
    ]);
    expect(listUsages([result("a", "x"), result("a", "x"), result("b", "x")], "opencode")).toHaveLength(2);
  });
});

describe("tags taken off again", () => {
  const tag = "\n<message_hash>0a1b2c</message_hash>\n<tool_hash>a1b2c3</tool_hash>";

  it("are exactly those that were added", () => {
    const source = [user(1, "m"), result("a", "text"), result("b", "text")];
    const tagged = [source[0], result("a", `text${tag}`), source[2]];
    const bare = withoutTags(tagged, source);
    expect(bare).toEqual(source);
    expect(bare[0]).toBe(source[0]);
    expect(bare[2]).toBe(source[2]);
  });

  it("do not include those of a file", () => {
    const source = [result("a", `text${tag}`)];
    expect(withoutTags([result("a", `text${tag}`)], source)).toEqual(source);
    expect(withoutTags([result("a", `text${tag}\n<tool_hash>ffffff</tool_hash>`)], source)).toEqual(source);
  });
});
