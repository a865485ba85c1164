import { toUsage } from "../../formats/usage.ts";
import type { Picked } from "./json-picker.ts";
import type { AnswerKind } from "./notes.ts";

/**
 * `message_start` has the figures for the input, `message_delta` the rest; an answer in one piece has them in the
 * message.
 */
export const anthropicAnswer: AnswerKind = {
  wanted: (notes) => {
    const call = (block: Picked): void => {
      if (block.get("type") !== "tool_use") return;
      notes.call(block.get("id"));
      notes.tool(block.get("name"));
    };
    const message = (picked: Picked): void => {
      notes.model(picked.get("model"));
      notes.finish(picked.get("stop_reason"));
    };
    const miss = (reason: Picked): void => notes.cacheMiss(reason.get("type"));
    return {
      "": message,
      message,
      delta: message,
      usage: (usage) => notes.count(usage),
      "message.usage": (usage) => notes.count(usage),
      "diagnostics.cache_miss_reason": miss,
      "message.diagnostics.cache_miss_reason": miss,
      content: call,
      content_block: call,
      error: () => notes.fail(),
    };
  },
  usage: (figure) =>
    toUsage({
      input: figure("input_tokens"),
      cacheRead: figure("cache_read_input_tokens"),
      cacheWrite: figure("cache_creation_input_tokens"),
      output: figure("output_tokens"),
    }),
};

/** `{ "input_tokens": 2095 }`: an estimate, which nobody pays for. */
export const countedAnswer: AnswerKind = {
  wanted: (notes) => ({
    "": (picked) => {
      if (picked.has("input_tokens")) notes.done();
    },
    error: () => notes.fail(),
  }),
  usage: () => undefined,
};
