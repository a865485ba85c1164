import { describe, expect, it } from "vitest";
import { makeParts } from "../../../src/hosts/opencode/command-parts.ts";
import { describeChange, readArguments, type SlashCommand } from "../../../src/hosts/plugin/commands.ts";
import { parseCommand } from "../../../src/transcript/session-command.ts";

const cases: readonly (readonly [string, SlashCommand])[] = [
  ["", { kind: "stats" }],
  ["  stats ", { kind: "stats" }],
  ["status", { kind: "stats" }],
  ["Context", { kind: "context" }],
  ["explain #a1b2c3", { kind: "explain", ref: "a1b2c3" }],
  ["explain", { kind: "explain", ref: "" }],
  ["shake", { kind: "change", command: { action: "shake", aggressive: false } }],
  ["shake aggressive", { kind: "change", command: { action: "shake", aggressive: true } }],
  ["restore all", { kind: "change", command: { action: "restore", target: "all" } }],
  ["restore a1b2c3", { kind: "change", command: { action: "restore", target: "a1b2c3" } }],
  ["restore", { kind: "usage" }],
  ["restore everything", { kind: "explain", ref: "everything" }],
  ["off", { kind: "change", command: { action: "off" } }],
  ["on", { kind: "change", command: { action: "on" } }],
  ["shadow", { kind: "change", command: { action: "shadow" } }],
  ["sweep 5", { kind: "usage" }],
];

describe("a slash command", () => {
  it.each(cases)("%j", (text, command) => {
    expect(readArguments(text)).toEqual(command);
  });

  it("in OpenCode shows the person one part and sends the model the other", () => {
    const command = { action: "off" } as const;
    const [shown, sent] = makeParts("coppice", describeChange(command), command);
    expect(shown).toMatchObject({ type: "text", ignored: true });
    expect(parseCommand((shown as { metadata: unknown }).metadata)).toEqual(command);
    expect(sent).toMatchObject({ type: "text", synthetic: true });
    expect(sent).not.toHaveProperty("ignored");
    expect(makeParts("acp", "figures")[0]).toMatchObject({ metadata: { coppice: { action: "look" } } });
  });
});
