import { toUsage } from "../../formats/usage.ts";
import type { Wanted } from "./json-picker.ts";
import { type AnswerKind, type Notes, wantWithin } from "./notes.ts";

/** Every chunk has the figures so far. Code Assist wraps each in a `response`. */
export const geminiAnswer: AnswerKind = {
  wanted: (notes) => {
    const response = wantResponse(notes);
    return { ...wantWithin("response", response), ...response };
  },
  usage: (figure) => {
    const cacheRead = figure("cachedContentTokenCount");
    return toUsage({
      input: figure("promptTokenCount") - cacheRead + figure("toolUsePromptTokenCount"),
      cacheRead,
      cacheWrite: 0,
      output: figure("candidatesTokenCount") + figure("thoughtsTokenCount"),
    });
  },
};

function wantResponse(notes: Notes): Wanted {
  return {
    "": (picked) => notes.model(picked.get("modelVersion")),
    candidates: (candidate) => notes.finish(candidate.get("finishReason")),
    // Only some models give their calls ids.
    "candidates.content.parts.functionCall": (call) => {
      notes.call(call.get("id"));
      notes.tool(call.get("name"));
    },
    usageMetadata: (usage) => notes.count(usage),
    promptFeedback: (feedback) => notes.finish(feedback.get("blockReason")),
    error: () => notes.fail(),
  };
}
