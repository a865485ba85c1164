import { toUsage } from "../../formats/usage.ts";
import type { AnswerKind } from "./notes.ts";

/** The last chunk has the usage, if the client asked for it. */
export const chatAnswer: AnswerKind = {
  wanted: (notes) => ({
    "": (picked) => {
      notes.model(picked.get("model"));
      if (picked.has("error")) notes.fail();
    },
    choices: (choice) => notes.finish(choice.get("finish_reason")),
    "choices.delta.tool_calls.function": (called) => notes.tool(called.get("name")),
    "choices.message.tool_calls.function": (called) => notes.tool(called.get("name")),
    "choices.delta.tool_calls": (call) => notes.call(call.get("id")),
    "choices.message.tool_calls": (call) => notes.call(call.get("id")),
    usage: (usage) => notes.count(usage),
    "usage.prompt_tokens_details": (details) => notes.count(details),
    // Kimi's stream.
    "choices.usage": (usage) => notes.count(usage),
    error: () => notes.fail(),
  }),
  usage: (figure) => {
    // OpenAI and most others; Kimi without details; DeepSeek.
    const cacheRead = figure("cached_tokens") || figure("prompt_cache_hit_tokens");
    // OpenRouter; LiteLLM.
    const cacheWrite = figure("cache_write_tokens") || figure("cache_creation_input_tokens");
    return toUsage({
      input: figure("prompt_tokens") - cacheRead - cacheWrite,
      cacheRead,
      cacheWrite,
      output: figure("completion_tokens"),
    });
  },
};
