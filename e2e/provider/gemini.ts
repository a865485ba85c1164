import type { Answered, Dialect } from "./dialects.ts";
import { data, listOf } from "./sse.ts";

/** Google's generateContent. */
export const gemini: Dialect = {
  name: "gemini",
  paths: /:(?:stream)?generateContent$/i,
  messagesOf: ({ contents }) => listOf(contents),
  error: (code, message) => ({
    error: { code, message, status: code === 429 ? "RESOURCE_EXHAUSTED" : "INVALID_ARGUMENT" },
  }),
  whole: (answered) => response(answered, partsOf(answered)),
  *events(answered) {
    const parts = partsOf(answered);
    for (const part of parts.slice(0, -1)) yield data({ candidates: [candidate([part])] });
    yield data(response(answered, parts.slice(-1)));
  },
};

function partsOf({ reply, thinking, signature }: Answered): readonly object[] {
  const signed = thinking === undefined ? {} : { thoughtSignature: signature };
  return [
    ...(thinking === undefined ? [] : [{ text: thinking, thought: true }]),
    ...(reply.text === undefined ? [] : [{ text: reply.text }]),
    ...(reply.calls ?? []).map(({ id, name, input }, index) => ({
      functionCall: { id, name, args: input },
      // Of calls side by side, the first is signed.
      ...(index === 0 && signed),
    })),
  ];
}

function candidate(parts: readonly object[]): object {
  return { index: 0, content: { role: "model", parts } };
}

function response({ model, usage, serial }: Answered, parts: readonly object[]): object {
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    candidates: [{ ...candidate(parts), finishReason: "STOP" }],
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
