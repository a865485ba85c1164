import { expect, test } from "vitest";
import { Conversations } from "../../../src/hosts/conversation/conversations.ts";
import { pruneBody } from "../../../src/hosts/conversation/prune-body.ts";
import { memoryStore } from "../../../src/stores/memory-store.ts";

const FILE = "export const total = order.rate * order.count;\n".repeat(40);

/** So many reads of the same file, by Codex with our tools. */
function bodyOf(reads: number, ...more: readonly object[]): string {
  const items = Array.from({ length: reads }, (_, i) => [
    { type: "function_call", call_id: `c${i}`, name: "read_file", arguments: '{"path":"a.ts"}' },
    { type: "function_call_output", call_id: `c${i}`, output: `${FILE}// ${i}` },
  ]).flat();
  const tools = ["read_file", "mcp__coppice__context_info"].map((name) => ({ type: "function", name }));
  const input = [{ type: "message", role: "user", content: "go" }, ...items, ...more];
  return JSON.stringify({ model: "gpt-5.5", tools, input });
}

test("Codex's request for a compaction shows what was cut before, nothing new is cut for it, and no tags stand in it", async () => {
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
