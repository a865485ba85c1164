import { textOf } from "../../conversation.ts";

/** A session of Anthropic's API that reads three files again and again: much of it is repeated. */
export function makeBody(steps = 12, prompt = "Look."): string {
  const messages = [
    { role: "user", content: prompt },
    ...Array.from({ length: steps }, (_, i) => [
      {
        role: "assistant",
        content: [{ type: "tool_use", id: `t${i}`, name: "read_file", input: { path: `f${i % 3}.ts` } }],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: `t${i}`, content: textOf(600, i % 3) }] },
    ]).flat(),
  ];
  const tools = [{ name: "read_file", input_schema: { type: "object" } }];
  // Spaces that no writer of ours would set: unchanged text must keep them.
  return JSON.stringify(
    { model: "claude-sonnet-4-5", max_tokens: 10, stream: true, messages, tools },
    null,
    1,
  );
}
