import { describe, expect, it } from "vitest";
import { listSegments } from "../../../src/hosts/opencode/list-segments.ts";
import { findCompaction } from "../../../src/hosts/opencode/messages.ts";
import { type Past, readPast } from "../../../src/hosts/plugin/past.ts";
import { type SessionCommand, serialiseCommand } from "../../../src/transcript/session-command.ts";

const user = (id: string, ...parts: readonly object[]) => ({ info: { id, role: "user" }, parts });
const say = (id: string) => user(id, { type: "text", text: "Go on." });
const tell = (id: string, action: "on" | "off" | "shadow") => {
  const command: SessionCommand = { action };
  return user(id, { type: "text", text: "done", ignored: true, metadata: serialiseCommand(command) });
};
const compact = (id: string) => [
  user(id, { type: "compaction" }),
  { info: { id: `${id}s`, role: "assistant", parentID: id, summary: true, finish: "stop" }, parts: [] },
];
const readStored = (stored: readonly unknown[], compaction: string): Past =>
  readPast(listSegments(stored), compaction, "opencode");
const idsOf = (messages: readonly unknown[]) =>
  messages.map((each) => (each as { info: { id: string } }).info.id);

describe("the messages before a compaction", () => {
  it("is found from the first message of a list", () => {
    expect(findCompaction([...compact("c"), say("u")])).toBe("c");
    expect(findCompaction([say("u"), ...compact("c")])).toBeUndefined();
    expect(findCompaction([])).toBeUndefined();
    expect(findCompaction([null])).toBeUndefined();
  });

  it("has the lists that were sent, and the status that a person had set", () => {
    const stored = [say("a"), tell("b", "off"), ...compact("c"), say("d"), ...compact("e"), say("f")];
    const { segments, status } = readStored(stored, "e");
    expect(segments.map(({ messages }) => idsOf(messages))).toEqual([
      ["a", "b"],
      ["c", "cs", "d"],
    ]);
    expect(segments.map((segment) => segment.status)).toEqual([undefined, "off"]);
    expect(status).toBe("off");
  });

  it.each([
    ["the last word counts", [tell("a", "off"), tell("b", "shadow"), tell("c", "on")], "on"],
    ["nobody said anything", [say("a")], undefined],
  ] as const)("%s", (_, before, standing) => {
    expect(readStored([...before, ...compact("z"), say("y")], "z").status).toBe(standing);
  });

  it("is empty if the host has nothing", () => {
    expect(readStored([], "c")).toEqual({ compaction: "c", segments: [], status: undefined });
  });
});
