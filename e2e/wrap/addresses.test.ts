import { expect, test } from "vitest";
import { CLAUDE_CODE } from "../clients/claude-code.ts";
import type { Client } from "../clients/client.ts";
import { CODEX } from "../clients/codex.ts";
import { OPENCODE } from "../clients/opencode.ts";
import { PI_CLIENTS } from "../clients/pi.ts";
import { runClient } from "../clients/run-client.ts";
import { doneWith, promptFor } from "../clients/work.ts";
import { type Prepared, prepare } from "./prepare.ts";
import { wrapped } from "./wrapped-client.ts";

/** An address in a client's own settings, or in none: the model's requests still go through the proxy. */
async function expectAnswer(client: Client, { place, provider }: Prepared, requests = 6): Promise<void> {
  const session = { home: place.home, cwd: place.cwd, prompt: promptFor("first", 5) };
  const ran = await runClient(client, session);
  expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", 5) });
  const [, count] = /^coppice: (\d+) requests: /m.exec(ran.stderr) ?? [];
  expect(Number(count), ran.stderr).toBeGreaterThanOrEqual(requests);
  expect(provider.refused).toEqual([]);
}

test("Claude Code with an address in its settings, which have precedence over its environment", async () => {
  const prepared = await prepare(CLAUDE_CODE);
  prepared.write(".claude/settings.json", { env: { ANTHROPIC_BASE_URL: prepared.provider.url } });
  await expectAnswer(wrapped(CLAUDE_CODE, {}), prepared);
});

test("Codex with an address in its settings", async () => {
  const prepared = await prepare(CODEX);
  prepared.write(".codex/config.toml", `openai_base_url = "${prepared.provider.url}/v1"\n`);
  await expectAnswer(wrapped(CODEX, {}), prepared);
});

test("Codex with a provider of the user's own", async () => {
  const prepared = await prepare(CODEX);
  prepared.write(
    ".codex/config.toml",
    `model_provider = "mine"
[model_providers.mine]
name = "Mine"
base_url = "${prepared.provider.url}/v1"
wire_api = "responses"
env_key = "MY_KEY"
`,
  );
  await expectAnswer(wrapped(CODEX, { env: { MY_KEY: "k" } }), prepared);
});

test("Codex with a ChatGPT login", async () => {
  const prepared = await prepare(CODEX);
  const token = makeToken();
  prepared.write(".codex/auth.json", {
    auth_mode: "chatgpt",
    OPENAI_API_KEY: null,
    tokens: { id_token: token, access_token: token, refresh_token: "r", account_id: "account-1" },
    last_refresh: new Date().toISOString(),
  });
  // Other requests go directly to ChatGPT, which does not exist here.
  const elsewhere = ["-c", `chatgpt_base_url="${prepared.provider.url}/backend-api/"`];
  const client: Client = {
    ...CODEX,
    launch: (session) => CODEX.launch({ ...session, args: elsewhere }),
  };
  const flags = ["--upstream", `chatgpt=${prepared.provider.url}`];
  await expectAnswer(wrapped(client, { flags, env: {} }), prepared);
  expect(prepared.provider.received.at(-1)).toMatchObject({
    path: "/backend-api/codex/responses",
    headers: { "chatgpt-account-id": "account-1" },
  });
});

test("pi with a provider that it knows itself", async () => {
  const pi = find(PI_CLIENTS, "anthropic");
  const client: Client = {
    ...pi,
    launch(session) {
      const launch = pi.launch(session);
      const command = launch.command.map((word) => (word === "scripted" ? "anthropic" : word));
      return { ...launch, command: command as [string, ...string[]], files: {} };
    },
  };
  const prepared = await prepare(client);
  const flags = ["--upstream", `anthropic=${prepared.provider.url}`];
  await expectAnswer(wrapped(client, { flags, env: { PI_OFFLINE: "1", ANTHROPIC_API_KEY: "k" } }), prepared);
});

test("OpenCode with a provider that it knows itself", async () => {
  const client = find(OPENCODE, "anthropic");
  const prepared = await prepare(client);
  const flags = ["--upstream", `anthropic=${prepared.provider.url}`];
  await expectAnswer(wrapped(client, { flags }), prepared);
});

function find(clients: readonly Client[], dialect: string): Client {
  const client = clients.find((each) => each.dialect === dialect);
  if (!client) throw new Error(dialect);
  return client;
}

function makeToken(): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = {
    email: "ada@localhost",
    exp: Math.floor(Date.now() / 1000) + 86_400,
    "https://api.openai.com/auth": {
      chatgpt_plan_type: "plus",
      chatgpt_account_id: "account-1",
      chatgpt_user_id: "u",
    },
  };
  return `${encode({ alg: "none" })}.${encode(claims)}.sig`;
}
