import { describe, expect, test } from "vitest";
import { anthropicStream, toEvents } from "./answers/streams.ts";
import { mustReadBody, wireNamed } from "./bodies.ts";

/** A body whose one message contains this JSON next to its text. */
const bodyWith = (json: string) =>
  `{"messages":[{"role":"user","odd":${json},"content":"text"}],"model":"m"}`;

describe("bodies of any size and shape", () => {
  test.each<[string, () => string]>([
    ["100,000 levels", () => `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    ["100,000 levels of objects", () => `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
    ["a million small values", () => `[${"1,".repeat(1_000_000)}1]`],
    ["a text of 50 MB", () => `"${"x".repeat(50_000_000)}"`],
    ["a text of escaped quotes", () => `"${'\\"'.repeat(2_000_000)}"`],
    ["a text of backslashes", () => `"${"\\\\".repeat(2_000_000)}"`],
  ])("%s", (_, make) => {
    const body = bodyWith(make());
    const request = mustReadBody("openai-chat", body);
    const [message] = request.messages as readonly object[];
    const changed = { ...message, content: "cut" };
    const wire = wireNamed("openai-chat");
    // Not `toBe`: its message would hold both.
    expect(wire.write(request, [changed], [0]) === body.replace('"text"', '"cut"')).toBe(true);
    expect(wire.write(request, [message, "note"], [0]) === body.replace("}],", '},"note"],')).toBe(true);
    expect(wire.write(request, request.messages, [0]) === body).toBe(true);
  });

  test("tools of 100,000 levels are counted", () => {
    const tools = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    expect(mustReadBody("openai-chat", `{"messages":[],"tools":${tools}}`).prefixTokens).toBeGreaterThan(
      1_000,
    );
  });
});

describe("answers of any size need no memory", () => {
  const piece = new TextEncoder().encode("xyz \\n".repeat(10_000));
  const [start, ...rest] = anthropicStream;
  const encode = (text: string) => new TextEncoder().encode(text);

  test.each<[string, string, string]>([
    ["a line without an end", 'data: {"type":"message_start","message":{"content":"', '"}}\n\n'],
    ["a comment without an end", ":", "\n"],
    ["a name without an end", 'data: {"', '":1}\n\n'],
  ])("%s", (_, before, after) => {
    const reader = wireNamed("anthropic-messages").openAnswer();
    reader.push(encode(toEvents([start])));
    reader.push(encode(before));
    for (let i = 0; i < 100; i++) reader.push(piece);
    const held = process.memoryUsage().heapUsed;
    for (let i = 0; i < 3_000; i++) reader.push(piece);
    expect(process.memoryUsage().heapUsed - held).toBeLessThan(80_000_000);
    reader.push(encode(after));
    reader.push(encode(toEvents(rest)));
    expect(reader.end()).toMatchObject({ ok: true, usage: { cacheRead: 40_000, output: 89 } });
  });

  test("usage behind 100 MB of output, in one piece of JSON", () => {
    const reader = wireNamed("openai-responses").openAnswer();
    reader.push(encode('{"status":"completed","output":[{"type":"message","content":[{"text":"'));
    for (let i = 0; i < 1_700; i++) reader.push(piece);
    reader.push(encode('"}]}],"usage":{"input_tokens":7,"output_tokens":9}}'));
    expect(reader.end()).toMatchObject({ ok: true, usage: { input: 7, output: 9 } });
  });

  test("brackets without an end, and more calls than anybody makes", () => {
    const reader = wireNamed("gemini").openAnswer();
    const brackets = encode("[".repeat(10_000));
    const held = process.memoryUsage().heapUsed;
    for (let i = 0; i < 200; i++) reader.push(brackets);
    expect(process.memoryUsage().heapUsed - held).toBeLessThan(80_000_000);
    expect(reader.end()).toEqual({ ok: false, calls: [], calledTools: [] });
    const calls = Array.from({ length: 5_000 }, (_, id) => ({ type: "tool_use", id: `t${id}` }));
    const many = wireNamed("anthropic-messages").openAnswer();
    many.push(encode(JSON.stringify({ content: calls, stop_reason: "tool_use" })));
    expect(many.end()).toMatchObject({ ok: true, calls: { length: 1_000 } });
  });
});
