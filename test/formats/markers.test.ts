import fc from "fast-check";
import { expect, test } from "vitest";
import { formatByName } from "../../src/formats/detect.ts";
import type { FormatName } from "../../src/formats/format.ts";
import { countPart } from "../../src/transcript/transcript.ts";
import { render, scripts } from "../generate.ts";

/** Why `pruneStepMarkers` has no pass: markers cost nothing, so there is nothing to save. */
test.each<[FormatName, boolean]>([
  ["opencode", true],
  ["anthropic-messages", false],
  ["openai-chat", false],
])("step markers cost nothing: %s", (name, hasMarkers) => {
  const format = formatByName(name);
  const sessions = fc.sample(scripts({ reasoning: "signed" }), 20);
  const markers = sessions
    .flatMap((script) => render(script, name).messages)
    .flatMap((message) => format.decode(message).parts)
    .filter(({ kind }) => kind === "marker");
  expect(markers.length > 0).toBe(hasMarkers);
  expect(markers.filter((part) => countPart(part) > 0 || part.leaves.length > 0)).toEqual([]);
});
