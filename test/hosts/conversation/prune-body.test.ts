import { expect, test } from "vitest";
import { Conversations } from "../../../src/hosts/conversation/conversations.ts";
import { pruneBody } from "../../../src/hosts/conversation/prune-body.ts";
import { memoryStore } from "../../../src/stores/memory-store.ts";
import { WRITERS, writeSession } from "../../formats/text-protocols/text-sessions.ts";

const FILE = "export const total = order.rate * order.count;\n".repeat(40);

/** This many reads of the same file, by Codex with our tools. */
function bodyOf(reads: number, ...more: readonly object[]): string {
  const items = Array.from({ length: reads }, (_, i) => [
    { type: "function_call", call_id: `c${i}`, name: "read_file", arguments: '{"path":"a.ts"}' },
    { type: "function_call_output", call_id: `c${i}`, output: `${FILE}// ${i}` },
  ]).flat();
  const tools = ["read_file", "mcp__coppice__context_info"].map((name) => ({ type: "function", name }));
  const input = [{ type: "message", role: "user", content: "go" }, ...items, ...more];
  return JSON.stringify({ model: "gpt-5.5", tools, input });
}

test("Codex's request for a compaction shows earlier cuts, makes no new ones, and has no tags", async () => {
  const conversations = new Conversations({
    schedule: { mode: "eager" },
    strategies: { pruneProtect: 500, pruneMinimum: 500 },
    store: memoryStore(),
  });
  const send = async (body: string): Promise<readonly { readonly output?: string }[]> => {
    const request = { method: "POST", path: "/v1/responses", headers: {}, body };
    return JSON.parse((await pruneBody(conversations, request))?.body ?? "{}").input;
  };
  const outputs = (items: readonly { readonly output?: string }[]) =>
    items.flatMap(({ output }) => (output === undefined ? [] : [output]));
  const [cut, whole] = outputs(await send(bodyOf(2)));
  expect(cut).toMatch(/^\[superseded/);
  expect(whole).toContain("<tool_hash>");
  const asked = outputs(await send(bodyOf(3, { type: "compaction_trigger" })));
  expect(asked).toEqual([cut, `${FILE}// 1`, `${FILE}// 2`]);
  const next = outputs(await send(bodyOf(3)));
  expect(next[1]).toMatch(/^\[superseded/);
});

/** A request of Claude Code after this many reads: marks in the system text and at its end. */
function markedBody(
  reads: number,
  { ttl, marks = 1 }: { readonly ttl?: string; readonly marks?: number } = {},
) {
  const cache_control = { type: "ephemeral", ...(ttl !== undefined && { ttl }) };
  const results = Array.from({ length: reads }, (_, i) => [
    {
      role: "assistant",
      content: [{ type: "tool_use", id: `t${i}`, name: "Read", input: { file_path: `${i}` } }],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `t${i}`, content: `${i} ${FILE}` }] },
  ]).flat();
  const last = { type: "text", text: "go on", cache_control };
  return JSON.stringify({
    model: "claude-sonnet-4-5",
    system: Array.from({ length: marks }, () => ({ type: "text", text: "You are an agent.", cache_control })),
    messages: [{ role: "user", content: "go" }, ...results, { role: "user", content: [last] }],
  });
}

async function sendMarked(body: string, settings: object = {}): Promise<string> {
  const conversations = new Conversations({ store: memoryStore(), ...settings });
  const request = { method: "POST", path: "/v1/messages", headers: {}, body };
  return (await pruneBody(conversations, request))?.body ?? "";
}

test.each([
  ["five minutes", undefined, { type: "ephemeral" }],
  ["an hour", "1h", { type: "ephemeral", ttl: "1h" }],
])("one more mark, for %s as the client's, is the only addition if nothing is cut", async (_, ttl, mark) => {
  const body = markedBody(3, { ...(ttl !== undefined && { ttl }) });
  const sent = await sendMarked(body);
  const { messages } = JSON.parse(sent);
  const places = messages.flatMap(
    ({ content }: { content: readonly { cache_control?: object }[] }, i: number) =>
      Array.isArray(content) && content.at(-1)?.cache_control ? [i] : [],
  );
  expect(places).toEqual([expect.any(Number), messages.length - 1]);
  expect(messages[places[0]].content.at(-1).cache_control).toEqual(mark);
  expect(
    sent.replace(
      `,"cache_control":${JSON.stringify(mark)}}]},{"role":"assistant"`,
      `}]},{"role":"assistant"`,
    ),
  ).toBe(body);
});

test("no mark is added if the client has set the provider's maximum, or none, or if it is switched off", async () => {
  const full = markedBody(3, { marks: 3 });
  expect(await sendMarked(full)).toBe(full);
  const bare = markedBody(3).replaceAll(/,"cache_control":\{[^}]*\}/g, "");
  expect(await sendMarked(bare)).toBe(bare);
  const usual = markedBody(3);
  expect(await sendMarked(usual, { schedule: { ownMark: false } })).toBe(usual);
});

test.each(WRITERS)(
  "$name writes commands as text: its requests have no tools, and outputs are cut",
  async (writer) => {
    const { format, messages } = writeSession(writer);
    const body = JSON.stringify({ model: "some-model", temperature: 0.0, messages }, null, 2);
    const conversations = new Conversations({ schedule: { mode: "eager" }, store: memoryStore() });
    const path = format === "openai-chat" ? "/v1/chat/completions" : "/v1/messages";
    const sent = (await pruneBody(conversations, { method: "POST", path, headers: {}, body }))?.body ?? "";
    expect(sent.length).toBeLessThan(body.length * 0.7);
    expect(JSON.parse(sent).messages.map(({ role }: { role: string }) => role)).toEqual(
      messages.map((message) => (message as { role: string }).role),
    );
    for (const mark of writer.marks) {
      const written = JSON.stringify(mark).slice(1, -1);
      expect(sent.split(written).length).toBe(body.split(written).length);
    }
  },
);
