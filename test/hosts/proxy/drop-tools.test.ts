import { describe, expect, test } from "vitest";
import { startProxy } from "../../../src/hosts/proxy/proxy.ts";
import { memoryStore } from "../../../src/stores/memory-store.ts";
import { post, setStage } from "./stage.ts";
import { respondWithEvents } from "./upstream.ts";

const TOOLS = ["Bash", "Agent", "mcp__words__look_up", "mcp__words__list"].map((name) => ({
  name,
  description: `Does ${name}.`,
  input_schema: { type: "object" },
}));
const DROP = { prefix: { dropTools: ["Agent", "mcp__words__*"] } };

/** A conversation with this number of steps. */
function bodyOf(steps: number, more: object = {}, prompt = "Go"): string {
  const messages = [
    { role: "user", content: prompt },
    ...Array.from({ length: steps }, (_, i) => [
      {
        role: "assistant",
        content: [{ type: "tool_use", id: `t${i}`, name: "Bash", input: { command: "ls" } }],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: `t${i}`, content: `file-${i}` }] },
    ]).flat(),
  ];
  return JSON.stringify({ model: "claude-sonnet-4-5", messages, tools: TOOLS, ...more });
}

const toolsIn = (body: Buffer | string | undefined): readonly string[] =>
  JSON.parse(String(body)).tools.map(({ name }: { name: string }) => name);
const ALL = TOOLS.map(({ name }) => name);

describe("prefix.dropTools", () => {
  test("the same tools are left out from the first request to the last, and nothing else changes", async () => {
    const { upstream, proxy } = await setStage(respondWithEvents, { settings: DROP });
    for (let steps = 0; steps < 4; steps++) await post(`${proxy.url}/v1/messages`, [], bodyOf(steps));
    const lean = TOOLS.filter(({ name }) => name === "Bash");
    expect(upstream.arrived.map(({ body }) => String(body))).toEqual(
      [0, 1, 2, 3].map((steps) => bodyOf(steps, { tools: lean })),
    );
    expect(upstream.arrived[0]?.headers["content-length"]).toBe(String(upstream.arrived[0]?.body.length));
  });

  test("after a restart, and with another list, the conversation continues as it began", async () => {
    const store = memoryStore();
    const { upstream, proxy } = await setStage(respondWithEvents, { settings: DROP, store });
    await post(`${proxy.url}/v1/messages`, [], bodyOf(0));
    for (const dropTools of [["Agent", "mcp__words__*"], ["Bash"]]) {
      const again = await startProxy({
        store,
        settings: { prefix: { dropTools } },
        upstreams: { anthropic: upstream.url },
      });
      await post(`${again.url}/v1/messages`, [], bodyOf(1));
      await again.close();
    }
    expect(upstream.arrived.map(({ body }) => toolsIn(body))).toEqual([["Bash"], ["Bash"], ["Bash"]]);
  });

  test("a conversation that began without it keeps its tools", async () => {
    const store = memoryStore();
    const { upstream, proxy } = await setStage(respondWithEvents, { store });
    await post(`${proxy.url}/v1/messages`, [], bodyOf(0));
    const later = await startProxy({ store, settings: DROP, upstreams: { anthropic: upstream.url } });
    await post(`${later.url}/v1/messages`, [], bodyOf(1));
    await post(`${later.url}/v1/messages`, [], bodyOf(2));
    await post(`${later.url}/v1/messages`, [], bodyOf(0, {}, "Another conversation"));
    await later.close();
    expect(upstream.arrived.map(({ body }) => toolsIn(body))).toEqual([ALL, ALL, ALL, ["Bash"]]);
    expect(String(upstream.arrived[1]?.body)).toBe(bodyOf(1));
  });

  test("tools that the request requires stay, and so do tools that come later", async () => {
    const { upstream, proxy } = await setStage(respondWithEvents, { settings: DROP });
    await post(`${proxy.url}/v1/messages`, [], bodyOf(0, { tool_choice: { type: "tool", name: "Agent" } }));
    const late = [...TOOLS, { name: "mcp__words__late", input_schema: { type: "object" } }];
    await post(`${proxy.url}/v1/messages`, [], bodyOf(1, { tools: late }));
    expect(upstream.arrived.map(({ body }) => toolsIn(body))).toEqual([
      ["Bash", "Agent"],
      ["Bash", "Agent", "mcp__words__late"],
    ]);
  });

  test("if held out, switched off or in shadow mode, nothing is left out", async () => {
    for (const options of [
      { settings: DROP, holdout: 99.999 },
      { settings: { ...DROP, enabled: false } },
      { settings: { ...DROP, shadow: true } },
    ]) {
      const { upstream, proxy } = await setStage(respondWithEvents, options);
      await post(`${proxy.url}/v1/messages`, [], bodyOf(0));
      expect(String(upstream.arrived[0]?.body)).toBe(bodyOf(0));
    }
  });

  test("if the provider refuses it, the original is sent, and the conversation is no longer pruned", async () => {
    const { upstream, proxy } = await setStage(
      (request, outgoing) => {
        if (toolsIn(request.body).includes("Agent")) return respondWithEvents(request, outgoing);
        outgoing.writeHead(400, { "content-type": "application/json" }).end('{"error":{"message":"no"}}');
      },
      { settings: DROP },
    );
    expect((await post(`${proxy.url}/v1/messages`, [], bodyOf(0))).status).toBe(200);
    expect((await post(`${proxy.url}/v1/messages`, [], bodyOf(1))).status).toBe(200);
    expect(upstream.arrived.map(({ body }) => toolsIn(body).length)).toEqual([1, 4, 4]);
  });

  test("a long list survives a restart", async () => {
    const store = memoryStore();
    const many = Array.from({ length: 80 }, (_, i) => ({
      name: `tool_with_a_long_name_${i}`,
      input_schema: {},
    }));
    const tools = [...many, { name: "Bash", input_schema: {} }];
    const settings = { prefix: { dropTools: ["tool_*"] } };
    const { upstream, proxy } = await setStage(respondWithEvents, { settings, store });
    await post(`${proxy.url}/v1/messages`, [], bodyOf(0, { tools }));
    const again = await startProxy({ store, settings, upstreams: { anthropic: upstream.url } });
    await post(`${again.url}/v1/messages`, [], bodyOf(1, { tools }));
    await again.close();
    expect(upstream.arrived.map(({ body }) => toolsIn(body))).toEqual([["Bash"], ["Bash"]]);
  });
});
