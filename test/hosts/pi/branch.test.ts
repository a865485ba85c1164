import { describe, expect, it } from "vitest";
import { readPiCommand } from "../../../src/formats/pi/command.ts";
import { COMMAND_ENTRY, listSegments, placeCommands } from "../../../src/hosts/pi/branch.ts";
import { type SessionCommand, serialiseCommand } from "../../../src/transcript/session-command.ts";

const user = (timestamp: number) => ({ role: "user", content: `prompt ${timestamp}`, timestamp });
const result = (timestamp: number, toolCallId: string) => ({
  role: "toolResult",
  toolCallId,
  content: [],
  timestamp,
});
const system = { role: "system", content: "", sections: {}, timestamp: 0 };
const entry = (message: object, id = "") => ({ type: "message", id, message });
const tell = (action: "on" | "off" | "shadow") => {
  const command: SessionCommand = { action };
  return { type: "custom", customType: COMMAND_ENTRY, data: serialiseCommand(command) };
};
const shape = (messages: readonly unknown[]): string =>
  messages
    .map((message) => readPiCommand(message)?.action ?? (message as { timestamp?: unknown }).timestamp)
    .join(" ");

describe("a person's commands", () => {
  it.each([
    ["none", [user(1), user(2)], [entry(user(1)), entry(user(2))], "1 2"],
    [
      "behind the message that they came after",
      [user(1), user(2)],
      [entry(user(1)), tell("off"), entry(user(2))],
      "1 off 2",
    ],
    ["two in a row", [user(1)], [entry(user(1)), tell("off"), tell("on")], "1 off on"],
    ["before everything", [user(1)], [tell("shadow"), entry(user(1))], "shadow 1"],
    ["where pi has not stored the prompt yet", [user(1), user(2)], [entry(user(1)), tell("off")], "1 off 2"],
    [
      "between results of the same moment",
      [result(1, "a"), result(1, "b")],
      [entry(result(1, "a")), tell("off"), entry(result(1, "b"))],
      "1 off 1",
    ],
    [
      "behind the prompt of pi's own",
      [system, user(1)],
      [entry(system), tell("off"), entry(user(1))],
      "off 0 1",
    ],
    ["gone with a compaction", [user(2)], [entry(user(1)), tell("off"), entry(user(2))], "2"],
    ["of another extension", [user(1)], [entry(user(1)), { ...tell("off"), customType: "x" }], "1"],
    ["that can't be read", [user(1)], [entry(user(1)), { ...tell("off"), data: 5 }, null, 7], "1"],
  ])("%s", (_, messages, branch, expected) => {
    expect(shape(placeCommands(messages, branch))).toBe(expected);
  });

  it("do not change the objects of the messages", () => {
    const messages = [user(1), user(2)];
    const placed = placeCommands(messages, [entry(user(1)), tell("off")]);
    expect(placed[0]).toBe(messages[0]);
    expect(placed[2]).toBe(messages[1]);
  });
});

describe("the lists that pi sent", () => {
  const compaction = (id: string, firstKeptEntryId: string, second: number) => ({
    type: "compaction",
    id,
    firstKeptEntryId,
    summary: "So far.",
    timestamp: new Date(second).toISOString(),
  });

  it("are one up to each compaction and one after the last, with the kept messages", () => {
    const branch = [
      entry(user(1), "a"),
      tell("off"),
      entry(user(2), "b"),
      compaction("c", "b", 1_000),
      entry(user(3), "d"),
      { type: "model_change", id: "m" },
      compaction("e", "e", 2_000),
      { type: "branch_summary", summary: "Left.", timestamp: new Date(3_000).toISOString() },
      entry(user(4), "f"),
    ];
    expect(listSegments(branch).map(shape)).toEqual(["1 off 2", "1000 2 3", "2000 3000 4"]);
  });

  it("are one empty list if there is nothing", () => {
    expect(listSegments([])).toEqual([[]]);
  });
});
