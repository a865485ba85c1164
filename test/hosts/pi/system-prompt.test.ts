import { describe, expect, it } from "vitest";
import { extendSystemPrompt } from "../../../src/hosts/pi/system-prompt.ts";

describe("the system prompt", () => {
  it("in sections gets one of ours, always the same", () => {
    const sections = { preamble: "You help." };
    const event = { systemPrompt: "You help.", systemPromptOptions: { sections } };
    expect(extendSystemPrompt(event, "Ours.")).toBeUndefined();
    expect(extendSystemPrompt(event, "Ours.")).toBeUndefined();
    expect(sections).toEqual({ preamble: "You help.", coppice: "Ours." });
  });

  it.each([
    ["You help.", "You help.\n\nOurs."],
    [
      ["You help.", "In /src."],
      ["You help.", "In /src.\n\nOurs."],
    ],
  ])("of one text or several gets ours at its end: %j", (systemPrompt, expected) => {
    expect(extendSystemPrompt({ systemPrompt, systemPromptOptions: {} }, "Ours.")).toEqual({
      systemPrompt: expected,
    });
  });

  it.each([{}, { systemPrompt: [] }, { systemPrompt: [5] }])(
    "without a text stays unchanged: %j",
    (event) => {
      expect(extendSystemPrompt(event, "Ours.")).toBeUndefined();
    },
  );
});
