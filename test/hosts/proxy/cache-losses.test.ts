import { describe, expect, test } from "vitest";
import { CacheLosses } from "../../../src/hosts/proxy/cache-losses.ts";
import type { LiveRequest, LiveSession, ProxyStatus } from "../../../src/page/dashboard-data.ts";
import { toAddress } from "../../../src/page/session-address.ts";
import { textOf } from "../../conversation.ts";
import { bodyOf, Sender } from "./live/sender.ts";
import { EAGER, post, setStage } from "./stage.ts";
import type { Respond } from "./upstream.ts";

const MARK = { cache_control: { type: "ephemeral" } };
const MINUTE = 60_000;

type Message = { readonly role: string; readonly content: unknown };

interface Request {
  model: string;
  system: object[];
  tools: object[];
  messages: Message[];
}

/** A session of this many steps, with marks as Claude Code sets them. */
function requestOf(steps: number): Request {
  const messages: Message[] = [{ role: "user", content: "Today is 2026-11-18. Look." }];
  for (let i = 0; i < steps; i++) {
    messages.push({
      role: "assistant",
      content: [{ type: "tool_use", id: `t${i}`, name: "Read", input: { file_path: `/f${i}.ts` } }],
    });
    const result = { type: "tool_result", tool_use_id: `t${i}`, content: textOf(300, i) };
    messages.push({ role: "user", content: [i === steps - 1 ? { ...result, ...MARK } : result] });
  }
  return {
    model: "claude-sonnet-4-5",
    system: [{ type: "text", text: textOf(200, 99), ...MARK }],
    tools: [{ name: "Read", input_schema: { type: "object" } }],
    messages,
  };
}

interface Scene {
  /** The client's change at the fourth request, and from then on. */
  readonly change?: (request: Request) => void;
  readonly headers?: readonly string[];
  readonly pause?: number;
  readonly diagnosis?: object;
}

const LOST = 4;

/** Six requests; the fourth reads nothing from the cache. */
async function play({ change, headers = [], pause = 0, diagnosis }: Scene, settings: object = {}) {
  let now = Date.UTC(2026, 10, 18);
  let number = 0;
  const respond: Respond = (_, outgoing) => {
    const cached = 10_000 * (number - 1);
    const isLost = number === LOST;
    const usage = {
      input_tokens: 5,
      cache_read_input_tokens: isLost ? 0 : cached,
      cache_creation_input_tokens: isLost ? cached + 10_000 : 10_000,
      output_tokens: 4,
    };
    const answer = { model: "claude-sonnet-4-5", stop_reason: "end_turn", usage };
    outgoing.writeHead(200, { "content-type": "application/json" });
    outgoing.end(JSON.stringify({ ...answer, ...(isLost && { diagnostics: diagnosis ?? null }) }));
  };
  const { proxy, complaints } = await setStage(respond, { settings, clock: () => now });
  for (number = 1; number <= 6; number++) {
    now += 10_000 + (number === LOST ? pause : 0);
    const request = requestOf(number);
    if (number >= LOST) change?.(request);
    const more = number >= LOST ? headers : [];
    await post(`${proxy.url}/v1/messages`, ["x-session-id", "s", ...more], JSON.stringify(request));
  }
  const status = (await (await fetch(`${proxy.url}/coppice/status`)).json()) as ProxyStatus;
  const figures = await (await fetch(`${proxy.url}/metrics`)).text();
  const address = `${proxy.url}/coppice/sessions/${toAddress("s")}/requests`;
  const requests = (await (await fetch(address)).json()) as readonly LiveRequest[];
  expect(complaints).toEqual([]);
  const lost = requests.flatMap(({ number, loss }) => (loss ? [[number, loss.what]] : []));
  return { session: status.sessions[0] as LiveSession, figures, lost };
}

const DOLLARS = (30_000 * (1.25 - 0.1) * 3) / 1e6;

test.each<[string, Scene, string, string]>([
  [
    "a tool that is added",
    { change: ({ tools }) => tools.push({ name: "Grep", input_schema: {} }) },
    "tools",
    "Grep was added",
  ],
  [
    "a changed system prompt",
    { change: ({ system }) => system.push({ type: "text", text: "Be quick." }) },
    "system",
    "block 2 was added",
  ],
  [
    "a date in the first message",
    {
      change: ({ messages }) => {
        messages[0] = { role: "user", content: "Today is 2026-11-19. Look." };
      },
    },
    "messages",
    "message 1: a date",
  ],
  [
    "marks that are gone",
    {
      change: (request) => {
        const bare = JSON.stringify(request, (name, value) => (name === "cache_control" ? undefined : value));
        Object.assign(request, JSON.parse(bare));
      },
    },
    "marks",
    "all cache marks were removed",
  ],
  [
    "another model",
    {
      change: (request) => {
        request.model = "claude-opus-4-5";
      },
    },
    "model",
    "claude-sonnet-4-5 before, claude-opus-4-5 now",
  ],
  ["time that has run out", { pause: 6 * MINUTE }, "time", "a pause of 6 min"],
  [
    "a header that matters",
    { headers: ["anthropic-beta", "context-1m-2025-08-07"] },
    "headers",
    "context-1m-2025-08-07 in anthropic-beta",
  ],
  [
    "what the provider says itself",
    { diagnosis: { cache_miss_reason: { type: "system_changed", cache_missed_input_tokens: 30_000 } } },
    "system",
    "as the provider says",
  ],
  ["the provider's own loss", {}, "provider", "nothing differs"],
])("%s is named once, with its cost", async (_, scene, cause, what) => {
  const { session, figures, lost } = await play(scene);
  expect(session.losses).toEqual([{ cause, count: 1, tokens: 30_000, dollars: expect.closeTo(DOLLARS, 8) }]);
  expect(lost).toEqual([[LOST, what]]);
  expect(figures).toContain(`coppice_cache_losses_total{cause="${cause}"} 1`);
  expect(figures).toContain(
    `coppice_cache_loss_dollars_total{cause="${cause}"} ${String(DOLLARS).slice(0, 5)}`,
  );
});

test("a cut of Coppice's own is named", async () => {
  const again = (request: Request): void => {
    // The same file a second time: the first result is stale.
    const { messages } = request;
    for (const [i, message] of messages.entries()) {
      const [block] = message.content as Record<string, unknown>[];
      if (i > 6 && block?.type === "tool_use") block.input = { file_path: "/f0.ts" };
    }
  };
  const { session } = await play({ change: again }, EAGER);
  expect(session.cuts).toBeGreaterThan(0);
  expect(session.losses?.map(({ cause }) => cause)).toEqual(["cut"]);
});

test("a provider that never caches loses nothing", async () => {
  const respond: Respond = (_, outgoing) => {
    outgoing.writeHead(200, { "content-type": "application/json" });
    const usage = { input_tokens: 20_000, output_tokens: 4 };
    outgoing.end(JSON.stringify({ model: "claude-sonnet-4-5", stop_reason: "end_turn", usage }));
  };
  const { proxy } = await setStage(respond, { settings: {} });
  for (let steps = 1; steps < 5; steps++)
    await post(`${proxy.url}/v1/messages`, ["x-session-id", "s"], JSON.stringify(requestOf(steps)));
  const { sessions } = (await (await fetch(`${proxy.url}/coppice/status`)).json()) as ProxyStatus;
  expect(sessions[0]).toMatchObject({ requests: 4 });
  expect(sessions[0]).not.toHaveProperty("losses");
});

test("if every prefix is cached, the whole previous request should be cached once the cache was used", async () => {
  const cached = [0, 9_984, 0, 29_952];
  let number = 0;
  const respond: Respond = (_, outgoing) => {
    outgoing.writeHead(200, { "content-type": "application/json" });
    const input_tokens_details = { cached_tokens: cached[number] };
    const usage = { input_tokens: 10_000 * (number + 1), input_tokens_details, output_tokens: 4 };
    outgoing.end(JSON.stringify({ model: "gpt-5", status: "completed", output: [], usage }));
  };
  const { proxy } = await setStage(respond, { settings: {} });
  const tools = [{ type: "function", name: "read", parameters: {} }];
  for (; number < cached.length; number++) {
    const input = Array.from({ length: number + 1 }, (_, i) => ({
      ...{ type: "message", role: "user" },
      content: `Message ${i}`,
    }));
    const body = JSON.stringify({ model: "gpt-5", instructions: "Help.", input, tools });
    await post(`${proxy.url}/v1/responses`, ["x-session-id", "s"], body);
  }
  const { sessions } = (await (await fetch(`${proxy.url}/coppice/status`)).json()) as ProxyStatus;
  const dollars = expect.closeTo((20_000 * (1 - 0.1) * 1.25) / 1e6, 8);
  expect(sessions[0]?.losses).toEqual([{ cause: "provider", count: 1, tokens: 20_000, dollars }]);
});

describe("the data kept on conversations", () => {
  const WROTE = { input: 5, cacheWrite: 50_000 };

  async function lose(losses: CacheLosses, sender: Sender, headers: Readonly<Record<string, string>>) {
    for (const steps of [3, 4]) {
      const sent = await sender.send(bodyOf(steps), { headers, isHeldOut: true });
      const loss = losses.explain(sent, sender.answer(WROTE));
      if (steps === 4) return loss?.cause;
    }
    return undefined;
  }

  test("a client's question on the side is not compared with its session", async () => {
    const [losses, sender] = [new CacheLosses(), new Sender()];
    const first = await sender.send(bodyOf(3), { isHeldOut: true });
    losses.explain(first, sender.answer(WROTE));
    const question = await sender.send({ ...bodyOf(4), tools: [] }, { isHeldOut: true });
    expect(losses.explain(question, sender.answer(WROTE))).toBeUndefined();
    const next = await sender.send(bodyOf(4), { isHeldOut: true });
    expect(losses.explain(next, sender.answer(WROTE))?.cause).toBe("provider");
  });

  test("no more than this many messages are kept; the oldest session is removed first", async () => {
    const [small, sender] = [new CacheLosses(1), new Sender()];
    expect(await lose(small, sender, { "x-session-id": "a" })).toBe("provider");
    const sent = await sender.send(bodyOf(3), { headers: { "x-session-id": "b" }, isHeldOut: true });
    small.explain(sent, sender.answer(WROTE));
    const late = await sender.send(bodyOf(5), { headers: { "x-session-id": "a" }, isHeldOut: true });
    expect(small.explain(late, sender.answer(WROTE))).toBeUndefined();
  });
});
