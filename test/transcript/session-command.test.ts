import { describe, expect, it } from "vitest";
import { formatByName } from "../../src/formats/detect.ts";
import { sameMessage } from "../../src/transcript/same-part.ts";
import { parseCommand, type SessionCommand, serialiseCommand } from "../../src/transcript/session-command.ts";

const commands: readonly SessionCommand[] = [
  { action: "shake", aggressive: true },
  { action: "shake", aggressive: false },
  { action: "restore", target: "a1b2c3" },
  { action: "restore", target: "all" },
  { action: "off" },
  { action: "on" },
  { action: "shadow" },
];

const decode = (metadata: unknown, fields: object = { ignored: true }) =>
  formatByName("opencode").decode({
    info: { role: "user", id: "msg_1", time: { created: 1 } },
    parts: [
      { type: "text", text: "Coppice is off.", metadata, ...fields },
      { type: "text", text: "The user ran /coppice off.", synthetic: true },
    ],
  });

describe("a command of the session", () => {
  it.each(commands)("survives the host's storage: %j", (command) => {
    const stored: unknown = JSON.parse(JSON.stringify(serialiseCommand(command)));
    expect(parseCommand(stored)).toEqual(command);
    expect(decode(stored).parts[0]).toMatchObject({ kind: "marker", leaves: [], command });
  });

  it.each([
    undefined,
    null,
    {},
    { coppice: null },
    { coppice: { action: "burn" } },
    { coppice: { action: "restore" } },
    { other: { action: "off" } },
  ])("is not in %j", (metadata) => {
    expect(parseCommand(metadata)).toBeUndefined();
    expect(decode(metadata).parts[0]).not.toHaveProperty("command");
  });

  it("is not recognised where the model reads the part", () => {
    expect(decode(serialiseCommand({ action: "off" }), {}).parts[0]).not.toHaveProperty("command");
  });

  it("distinguishes two messages", () => {
    const off = decode(serialiseCommand({ action: "off" }));
    expect(sameMessage(off, decode(serialiseCommand({ action: "off" })))).toBe(true);
    expect(sameMessage(off, decode(serialiseCommand({ action: "on" })))).toBe(false);
  });
});
