import type { Answered, Dialect } from "./dialects.ts";
import { data, listOf } from "./sse.ts";

/** Google's generateContent. */
export const gemini: Dialect = {
  name: "gemini",
  paths: /:(?:stream)?generateContent$/i,
  messagesOf: ({ contents }) => listOf(contents),
  error: (code, message) => ({ error: { code, message, status: "INVALID_ARGUMENT" } }),
  whole: (answered) => response(answered, partsOf(answered)),
  *events(answered) {
    yield data(response(answered, partsOf(answered)));
  },
};

function partsOf({ reply }: Answered): readonly object[] {
  return [
    ...(reply.text === undefined ? [] : [{ text: reply.text }]),
    ...(reply.calls ?? []).map(({ id, name, input }) => ({ functionCall: { id, name, args: input } })),
  ];
}

function response({ model, usage, serial }: Answered, parts: readonly object[]): object {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
    usageMetadata: {
      promptTokenCount: prompt,
      cachedContentTokenCount: usage.cacheRead,
      candidatesTokenCount: usage.output,
      totalTokenCount: prompt + usage.output,
    },
    modelVersion: model,
    responseId: `r${serial}`,
  };
}
