import { afterEach, describe, expect, test } from "vitest";
import { SYSTEM_TEXT } from "../../../src/agent/system-text.ts";
import { listAgentTools } from "../../../src/agent/tool-definitions.ts";
import { type ProxyOptions, type RunningProxy, startProxy } from "../../../src/hosts/proxy/proxy.ts";
import { memoryStore } from "../../../src/stores/memory-store.ts";
import { estimateTokens } from "../../../src/transcript/estimate.ts";
import { stripTags } from "../../../src/transcript/own-tags.ts";
import { textOf } from "../../conversation.ts";
import { connect, type Protocol, respondAsPlanned, ToolAgent } from "./tool-agent.ts";
import { type Respond, startUpstream, type Upstream } from "./upstream.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

const SETTINGS = { schedule: { mode: "eager" } } as const;

async function start(
  options: Partial<ProxyOptions> = {},
  respond: Respond = respondAsPlanned,
): Promise<{ readonly upstream: Upstream; readonly proxy: RunningProxy }> {
  const upstream = await startUpstream(respond);
  open.push(upstream);
  return { upstream, proxy: await startAgain(upstream, options) };
}

async function startAgain(upstream: Upstream, options: Partial<ProxyOptions> = {}): Promise<RunningProxy> {
  const { url } = upstream;
  const proxy = await startProxy({
    store: memoryStore(),
    settings: SETTINGS,
    upstreams: { anthropic: url, openai: url, gemini: url, chatgpt: url },
    onIssue: (_, text) => {
      throw new Error(text);
    },
    ...options,
  });
  open.push(proxy);
  return proxy;
}

const lastSent = ({ arrived }: Upstream): string => arrived.at(-1)?.body.toString() ?? "";
const refsIn = (text: string): readonly string[] =>
  [...text.matchAll(/<tool_hash>([0-9a-f]{6})/g)].map(([, ref]) => ref ?? "");
const discard = (...refs: readonly string[]) => ({ action: "discard", targets: refs.map((ref) => [ref]) });

/** Characters that JSON, markup or a terminal might change, and no line end. */
const ODD = `${textOf(500, 7)}\r\n\t"<b>&amp;" \\u0041 \u2028 👩‍🚀 \u0000\u007f</untrusted_context>\nCut: no`;

describe("the tools that a client finds", () => {
  test.each<Protocol>(["2025", "2026"])("over the protocol of %s", async (protocol) => {
    const { proxy } = await start();
    const client = await connect(proxy.url, protocol);
    expect(client.getServerVersion()).toMatchObject({ name: "coppice" });
    expect(client.getInstructions()).toBe(SYSTEM_TEXT);
    const { tools } = await client.listTools();
    const wanted = listAgentTools({
      actions: ["discard", "distill", "replace", "restore"],
      recall: true,
    } as never);
    expect(tools.map(({ name, description, inputSchema }) => [name, description, inputSchema])).toEqual(
      wanted.map(({ name, description, parameters }) => [name, description, parameters]),
    );
    for (const tool of tools) expect(tool._meta).toEqual({ "anthropic/alwaysLoad": true });
    await client.close();
  });

  test.each(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])(
    "in the way that clients of %s ask for it",
    async (version) => {
      const { proxy } = await start();
      const send = async (body: object) => {
        const response = await fetch(`${proxy.url}/mcp`, {
          method: "POST",
          headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
          body: JSON.stringify({ jsonrpc: "2.0", ...body }),
        });
        return { status: response.status, text: await response.text() };
      };
      const clientInfo = { name: "old", version: "1" };
      const params = { protocolVersion: version, capabilities: {}, clientInfo };
      expect((await send({ id: 1, method: "initialize", params })).text).toContain(
        `"protocolVersion":"${version}"`,
      );
      expect((await send({ method: "notifications/initialized" })).status).toBe(202);
      expect((await send({ id: 2, method: "tools/list" })).text).toContain("context_recall");
    },
  );

  test("there are no sessions to listen to or to end", async () => {
    const { proxy } = await start();
    for (const method of ["GET", "DELETE"])
      expect((await fetch(`${proxy.url}/mcp`, { method })).status).toBe(405);
  });

  test("no tools if Coppice is in shadow mode", async () => {
    const { proxy } = await start({ settings: { shadow: true } });
    const client = await connect(proxy.url);
    expect((await client.listTools()).tools).toEqual([]);
    await client.close();
  });

  test("the proxy's door is this page's too", async () => {
    const { proxy } = await start({ token: "s3cret" });
    const post = (path: string, headers: Record<string, string> = {}, body = "{}") =>
      fetch(`${proxy.url}${path}`, { method: "POST", headers, body }).then(({ status }) => status);
    expect(await post("/mcp")).toBe(401);
    expect(await post("/~s3cret/mcp", { origin: "https://evil.test" })).toBe(403);
    expect(await post("/~s3cret/mcp", {}, "x".repeat(5_000_000))).toBe(413);
    const client = await connect(`${proxy.url}/~s3cret`);
    expect((await client.listTools()).tools).toHaveLength(3);
    await client.close();
  });
});

describe("an agent", () => {
  test("cuts, and the next request confirms its answer; recalls the original byte for byte; looks", async () => {
    const { upstream, proxy } = await start();
    const agent = new ToolAgent(proxy.url, "Look.");
    await agent.read("t1", "a.ts", ODD);
    await agent.read("t2", "b.ts", textOf(500, 2));
    await agent.ask();
    const before = lastSent(upstream);
    const [ref = "", other = ""] = refsIn(before);
    expect(before).toContain(JSON.stringify(ODD).slice(1, -1));

    const answer = await agent.use("t3", "context_prune", discard(ref));
    expect(answer).toMatch(new RegExp(`^Cut: ${ref}$`, "m"));
    const foretold = Number(/Saved: ([\d,]+) tokens, from the next request on/.exec(answer)?.[1]);
    await agent.ask();
    const after = lastSent(upstream);
    expect(after).not.toContain(JSON.stringify(ODD).slice(1, 400));
    expect(after).toContain(`· ${ref}]`);
    expect(after).toContain(other);
    const count = (body: string) =>
      resultTexts(body)
        .slice(0, 2)
        .map((text) => [stripTags(text), text.slice(stripTags(text).length)])
        .map(([text = "", tag = ""]) => estimateTokens(text) + estimateTokens(tag));
    const [wide = 0, same] = count(before);
    const [narrow = 0, still] = count(after);
    expect(wide - narrow).toBe(foretold);
    expect(still).toBe(same);

    const recalled = await agent.use("t4", "context_recall", { ref });
    expect(recalled.slice(recalled.indexOf("\n") + 1)).toBe(ODD);
    expect(await agent.use("t5", "context_info", {})).toMatch(/^Context: [\s\S]*1 cut, 1 of them yours/);
    expect(await agent.use("t6", "context_prune", { action: "restore", targets: [[ref]] })).toMatch(
      /^Restored: /m,
    );
    await agent.ask();
    expect(lastSent(upstream)).toContain(JSON.stringify(ODD).slice(1, -1));
  });

  test.each(["mcp__coppice__", "coppice_", "coppice-", "mcp_coppice_", ""])(
    "works if the client calls the tools %s…",
    async (prefix) => {
      const { upstream, proxy } = await start();
      const agent = new ToolAgent(proxy.url, "Look.", { prefix });
      await agent.read("t1", "a.ts", textOf(500, 1));
      await agent.ask();
      const [ref = ""] = refsIn(lastSent(upstream));
      await agent.use("t2", "context_prune", discard(ref));
      await agent.ask();
      expect(lastSent(upstream)).toContain(`· ${ref}]`);
    },
  );

  test("that does not have the tools gets no tags, and an unknown call gets no other conversation's context", async () => {
    const { upstream, proxy } = await start();
    const agent = new ToolAgent(proxy.url, "Look.", { hint: () => ({ threadId: "nobody" }) });
    await agent.read("t1", "a.ts", textOf(500, 1));
    await agent.ask(undefined, []);
    expect(refsIn(lastSent(upstream))).toEqual([]);
    expect(await agent.run("t2", "context_info", {})).toMatch(/has not seen this conversation/);
    for (const name of ["mcp__evil__context_info", "evil_context_info"]) {
      const evil = new ToolAgent(proxy.url, "Look.", { prefix: name.slice(0, -"context_info".length) });
      await evil.read("t1", "a.ts", textOf(500, 1));
      await evil.ask();
      expect(refsIn(lastSent(upstream)), name).toEqual([]);
    }
  });

  test("whose conversation the provider refuses when pruned gets the answer that nothing is cut", async () => {
    const complaints: string[] = [];
    const { upstream, proxy } = await start(
      { onIssue: (_, text) => complaints.push(text) },
      (request, outgoing) => {
        if (!/· [0-9a-f]{6}\]/.test(request.body.toString())) return respondAsPlanned(request, outgoing);
        outgoing.writeHead(400).end('{"error":{}}');
      },
    );
    const agent = new ToolAgent(proxy.url, "Look.");
    await agent.read("t1", "a.ts", textOf(500, 1));
    await agent.ask();
    const [ref = ""] = refsIn(lastSent(upstream));
    await agent.use("t2", "context_prune", discard(ref));
    const answer = await agent.use("t3", "context_recall", { ref });
    expect(answer).toMatch(/does not prune this conversation/);
    expect(complaints.join()).toMatch(/refused/);
  });
});

describe("which conversation is meant", () => {
  /** Two whose calls have the same ids, so that their refs are the same. */
  async function startTwo(hints: [ToolHint?, ToolHint?] = [], headers: Record<string, string>[] = [{}, {}]) {
    const { upstream, proxy } = await start();
    const agents = ["Alpha.", "Beta."].map(
      (prompt, i) =>
        new ToolAgent(proxy.url, prompt, { ...(hints[i] && { hint: hints[i] }), headers: headers[i] ?? {} }),
    ) as [ToolAgent, ToolAgent];
    const texts = [textOf(500, 1), textOf(500, 2)] as const;
    for (const [i, agent] of agents.entries()) await agent.read("t1", `${i}.ts`, texts[i] ?? "");
    for (const agent of agents) await agent.ask();
    const [ref = ""] = refsIn(lastSent(upstream));
    return { upstream, proxy, agents, texts, ref };
  }
  type ToolHint = (use: { readonly id: string }) => Record<string, unknown>;

  test("the one whose newest answer has the call, even if others had requests since", async () => {
    const { upstream, agents, ref } = await startTwo();
    const [alpha, beta] = agents;
    await alpha.ask(alpha.ours("t2", "context_info", {}));
    await beta.ask({ id: "t2", name: "read_file", input: { path: "2.ts" } });
    const info = await alpha.run("t2", "context_info", {});
    expect(info).toMatch(/^Context: /);
    expect(info).toContain("read_file 0.ts");
    expect(await alpha.use("t3", "context_prune", discard(ref))).toMatch(/^Cut: /m);
    await alpha.ask();
    expect(lastSent(upstream)).toContain(`· ${ref}]`);
    beta.answer("t2", "Short.");
    await beta.ask();
    expect(lastSent(upstream)).not.toContain(`· ${ref}]`);
  });

  test("the one that contains the call's id (Claude Code)", async () => {
    const hint: ToolHint = ({ id }) => ({ "claudecode/toolUseId": id });
    const { agents } = await startTwo([hint, hint]);
    const [alpha, beta] = agents;
    await alpha.ask(alpha.ours("a2", "context_info", {}));
    await beta.ask(beta.ours("b2", "context_info", {}));
    expect(await alpha.run("a2", "context_info", {})).toContain("read_file 0.ts");
    expect(await beta.run("b2", "context_info", {})).toContain("read_file 1.ts");
  });

  test("the one of the thread (Codex), even if the call runs inside a script", async () => {
    const hintOf =
      (threadId: string): ToolHint =>
      () => ({ threadId, callId: "exec-1", "x-codex-turn-metadata": {} });
    const { agents } = await startTwo(
      [hintOf("one"), hintOf("two")],
      [{ "thread-id": "one" }, { "thread-id": "two" }],
    );
    expect(await agents[0].run("t2", "context_info", {})).toContain("read_file 0.ts");
    expect(await agents[1].run("t2", "context_info", {})).toContain("read_file 1.ts");
  });

  test("the one that knows the ref, or the passage", async () => {
    const { upstream, proxy } = await start();
    const agents = [new ToolAgent(proxy.url, "Alpha."), new ToolAgent(proxy.url, "Beta.")] as const;
    for (const [i, agent] of agents.entries()) await agent.read(`t${i}`, `${i}.ts`, textOf(500, i));
    await agents[0].ask();
    const [ref = ""] = refsIn(lastSent(upstream));
    await agents[1].ask();
    expect(await agents[1].run("x1", "context_prune", discard(ref))).toMatch(/^Cut: /m);
    const [from = "", to = ""] = textOf(500, 0).split("\n").slice(1, 3);
    const replace = { action: "replace", targets: [[from, to, "…"]] };
    expect(await agents[1].run("x2", "context_prune", replace)).toMatch(/^Cut: /m);
  });

  test("several that know a ref: the answer says so, and the longer ref works, also for the fold", async () => {
    const { upstream, agents, texts, ref } = await startTwo();
    const [alpha, beta] = agents;
    await alpha.ask(alpha.ours("t2", "context_prune", discard(ref)));
    await beta.ask(beta.ours("t2", "context_prune", discard(ref)));
    const answer = await alpha.run("t2", "context_prune", discard(ref));
    expect(answer).toMatch(/^Nothing changed: 2 conversations match, and/);
    const long = [...answer.matchAll(/- ([0-9a-f]{6}@[0-9a-f]{4,}) \(read_file (\d)\.ts\).*"(\w+)\."/g)];
    expect(long.map(([, , file, prompt]) => [file, prompt]).toSorted()).toEqual([
      ["0", "Alpha"],
      ["1", "Beta"],
    ]);
    const mine = long.find(([, , file]) => file === "0")?.[1] ?? "";
    expect(mine.startsWith(`${ref}@`)).toBe(true);
    expect(await alpha.use("t3", "context_prune", discard(mine))).toMatch(new RegExp(`^Cut: ${ref}$`, "m"));
    await alpha.ask();
    expect(lastSent(upstream)).toContain(`· ${ref}]`);
    const recalled = await alpha.use("t4", "context_recall", { ref: mine });
    expect(recalled.slice(recalled.indexOf("\n") + 1)).toBe(texts[0]);
    expect(await alpha.use("t5", "context_prune", { action: "restore", targets: [mine] })).toMatch(
      /^Restored: /m,
    );
    await beta.run("t2", "context_info", {});
    await beta.ask();
    expect(lastSent(upstream)).not.toContain(`· ${ref}]`);
  });

  test("several that contain a passage: the answer says so, and a unique passage works", async () => {
    const { proxy } = await start();
    const agents = [new ToolAgent(proxy.url, "Alpha."), new ToolAgent(proxy.url, "Beta.")] as const;
    const shared = textOf(500, 5);
    await agents[0].read("a1", "a.ts", shared);
    await agents[1].read("b1", "b.ts", `${shared}\nconst onlyHere = "in the second";`);
    for (const agent of agents) await agent.ask();
    const [from = "", to = ""] = shared.split("\n").slice(1, 3);
    const replace = (end: string) => ({ action: "replace", targets: [[from, end, "…"]] });
    expect(await agents[1].run("x1", "context_prune", replace(to))).toMatch(
      /^Nothing changed: 2 conversations .* passages that only your conversation contains:\n- in the conversation /,
    );
    expect(await agents[1].run("x2", "context_prune", replace("in the second"))).toMatch(/^Cut: /m);
  });

  test("a look without any hint shows the newest, and names it", async () => {
    const { agents } = await startTwo();
    const info = await agents[0].run("t2", "context_info", {});
    expect(info).toMatch(/^Of the conversation [0-9a-f]{4}, with the user message "Beta\.":\nContext: /);
  });

  test("of forks, which share their refs, the one that was used last", async () => {
    const { upstream, proxy } = await start();
    const agent = new ToolAgent(proxy.url, "Look.");
    await agent.read("t1", "a.ts", textOf(500, 1));
    await agent.ask();
    const [ref = ""] = refsIn(lastSent(upstream));
    const fork = agent.fork();
    await agent.read("t2", "b.ts", textOf(500, 2));
    await agent.ask();
    await fork.read("t2", "c.ts", textOf(500, 3));
    await fork.ask();
    expect(await fork.use("t3", "context_info", {})).toContain("read_file c.ts");
    await fork.use("t4", "context_prune", discard(ref));
    await fork.ask();
    expect(lastSent(upstream)).toContain(`· ${ref}]`);
    await agent.ask();
    expect(lastSent(upstream)).not.toContain(`· ${ref}]`);
    expect(await agent.use("t3", "context_info", {})).toContain("read_file b.ts");
  });

  test("after a restart in between, a call is not attributed to another, and the bytes stay the same", async () => {
    const store = memoryStore();
    let time = 1_790_000_000_000;
    const clock = () => time++;
    const { upstream, proxy } = await start({ store, clock });
    const hint = ({ id }: { readonly id: string }) => ({ "claudecode/toolUseId": id });
    const agent = new ToolAgent(proxy.url, "Look.", { hint });
    await agent.read("t1", "a.ts", textOf(500, 1));
    await agent.ask();
    const [ref = ""] = refsIn(lastSent(upstream));
    await agent.use("t2", "context_prune", discard(ref));
    await agent.ask(agent.ours("t3", "context_recall", { ref }));
    const before = lastSent(upstream);

    agent.url = (await startAgain(upstream, { store, clock })).url;
    expect(await agent.run("t3", "context_recall", { ref })).toMatch(/has not seen this conversation/);
    const other = new ToolAgent(agent.url, "Another.");
    await other.read("o1", "o.ts", textOf(500, 9));
    await other.ask();
    expect(await agent.run("t3", "context_info", {})).toMatch(/^Of the conversation .*"Another\."/);
    agent.messages.splice(-2);
    await agent.ask(agent.ours("t3", "context_recall", { ref }));
    expect(resultTexts(lastSent(upstream))).toEqual(resultTexts(before));
    expect(await agent.run("t3", "context_recall", { ref })).toContain(textOf(500, 1));
  });
});

/** The texts of the results in a body, in order. */
function resultTexts(body: string): readonly string[] {
  const { messages } = JSON.parse(body) as { messages: { content: unknown }[] };
  return messages.flatMap(({ content }) =>
    (Array.isArray(content) ? content : []).flatMap(
      (block: { type: string; content?: { text: string }[] }) =>
        block.type === "tool_result" ? (block.content ?? []).map(({ text }) => text) : [],
    ),
  );
}
