import { textOf } from "../../conversation.ts";

/** A session of Anthropic's that reads three files again and again: much of it is there twice. */
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
  // Spaces as no writer of ours would set them: what is not changed has to keep them.
  return JSON.stringify(
    { model: "claude-sonnet-4-5", max_tokens: 10, stream: true, messages, tools },
    null,
    1,
  );
}
