import { describe, expect, test } from "vitest";
import { isRecord } from "../../src/basics/json.ts";
import type { Client } from "../clients/client.ts";
import { runClient } from "../clients/run-client.ts";
import type { Received } from "../provider/provider.ts";
import { openOwnAddresses } from "./own-addresses.ts";
import { prepare } from "./prepare.ts";
import { commandOf, ONE_OF_EACH, wrapped } from "./wrapped-client.ts";

/**
 * The differences between a client's first request through `coppice wrap` and the one to its own address, with
 * reasons. docs/proxy.md gives the cost of each.
 */
const DIFFERENCES: Readonly<Record<string, readonly string[]>> = {
  // Only at its own address do all users share its cache; the same applies to the diagnosis of the cache and to
  // billing data.
  claude: [
    "header anthropic-beta lacks prompt-caching-scope-2026-01-05, mid-conversation-system-clear-at-2026-08-21, thinking-binding-controls-2026-08-01, cache-diagnosis-2026-04-07",
    "header x-claude-1p-request-class is missing",
    "header x-claude-code-prompt-id is missing",
    "header x-claude-code-request-class is missing",
    "header x-claude-code-sandy-plover is missing",
    "header x-client-request-id is missing",
    "body.diagnostics is missing",
    "body.system: 3 items, not 4",
    "body.system[0].text differs",
    "body.system[1].cache_control is added",
    "body.system[2].cache_control.scope is missing",
    "body.system[2].text differs",
  ],
  codex: [],
  // Over HTTP, Node does not offer Brotli: answers are packed with gzip, or not at all.
  gemini: ["header accept-encoding differs"],
  // At any other name, it marks nothing for DashScope's cache, and does not ask to keep its thinking.
  qwen: [
    "header x-dashscope-authtype is missing",
    "header x-dashscope-cachecontrol is missing",
    "header x-dashscope-useragent is missing",
    "header accept-encoding differs",
    "body.messages[0].content differs",
    "body.messages[1].content[4].cache_control is missing",
    "body.metadata is missing",
    "body.preserve_thinking is missing",
    "body.tools[13].cache_control is missing",
  ],
  pi: ["header accept-encoding differs"],
  opencode: [],
};

/** With a GitHub login Copilot accepts no other address, and with the user's own provider there is no other one. */
const HAVING = ONE_OF_EACH.filter((client) => Object.hasOwn(DIFFERENCES, commandOf(client)));

/** The client without an address: pi must know the provider itself. */
function atHome(client: Client): Client {
  if (commandOf(client) !== "pi") return client;
  return {
    ...client,
    launch(session) {
      const { command, env } = client.launch(session);
      const words = command.map((word) => (word === "scripted" ? "anthropic" : word));
      return { command: words as [string, ...string[]], env: { ...env, ANTHROPIC_API_KEY: "sk-ant-none" } };
    },
  };
}

async function firstRequest(client: Client): Promise<Received> {
  const { place, provider } = await prepare(client, () => ({ text: "done" }));
  const { before, env, close } = await openOwnAddresses(provider.url);
  // It would ask another model which one to use.
  const model = commandOf(client) === "gemini" ? { model: "gemini-3.1-pro-preview" } : {};
  const session = { home: place.home, cwd: place.cwd, prompt: "Say: done", before, env, ...model };
  const ran = await runClient(client, session);
  await close();
  const request = provider.received.find(({ raw }) => /"(?:tools|additional_tools)"/.test(raw));
  if (!request) throw new Error(`${client.name} sent no tools: ${ran.stderr}`);
  return request;
}

/** Headers of every connection, and the ids of a session. */
const SKIPPED =
  /^(?:host|connection|content-length|.*session.*|.*window-id|.*user-id|x-codex-turn-metadata|x-client-request-id:.*|thread-id)$/;

function compareHeaders({ headers: own }: Received, { headers: other }: Received): readonly string[] {
  return Object.keys(own)
    .filter((name) => !SKIPPED.test(name))
    .flatMap((name) => {
      const [a, b] = [own[name], other[name]].map((value) => plain(String(value ?? "")));
      if (other[name] === undefined) return [`header ${name} is missing`];
      if (a === b) return [];
      const lacking = (a ?? "").split(",").filter((each) => !(b ?? "").split(",").includes(each));
      return [
        name === "anthropic-beta" ? `header ${name} lacks ${lacking.join(", ")}` : `header ${name} differs`,
      ];
    });
}

function compareValues(own: unknown, other: unknown, at: string): readonly string[] {
  if (typeof own === "string" && typeof other === "string")
    return plain(own) === plain(other) ? [] : [`${at} differs`];
  if (Array.isArray(own) && Array.isArray(other))
    return [
      ...(own.length === other.length ? [] : [`${at}: ${other.length} items, not ${own.length}`]),
      ...own.slice(0, other.length).flatMap((each, i) => compareValues(each, other[i], `${at}[${i}]`)),
    ];
  if (!isRecord(own) || !isRecord(other))
    return own === other || /\.create_time$/.test(at) ? [] : [`${at} differs`];
  return [...new Set([...Object.keys(own), ...Object.keys(other)])].sort().flatMap((name) => {
    if (!(name in own)) return [`${at}.${name} is added`];
    return name in other
      ? compareValues(own[name], other[name], `${at}.${name}`)
      : [`${at}.${name} is missing`];
  });
}

/** Without data that differs in every session: folders, ids, hashes, times. */
function plain(text: string): string {
  return text
    .replace(/coppice-client-\w+/g, "PLACE")
    .replace(/(?<![0-9a-z])[0-9a-f]{7,}(?:-[0-9a-f]+)*\b/g, "ID")
    .replace(/\b\d{9,}\b/g, "TIME");
}

describe.each(HAVING)("$name", (client) => {
  test("sends the same through wrap as to its own address, except for the listed differences", async () => {
    const own = await firstRequest(atHome(client));
    const other = await firstRequest(wrapped(atHome(client), { flags: ["--no-tools"] }));
    expect(other.headers.host).toBe(own.headers.host);
    expect(other.path).toBe(own.path);
    const found = [...compareHeaders(own, other), ...compareValues(own.body, other.body, "body")];
    expect(found).toEqual(DIFFERENCES[commandOf(client)]);
  });
});
