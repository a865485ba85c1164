import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { anyCommand } from "../../src/cli/clients/any-command.ts";
import { type Client, type Env, type Pointed, toUpstreams } from "../../src/cli/clients/client.ts";
import { CLIENTS } from "../../src/cli/clients/clients.ts";

const PROXY = "http://127.0.0.1:9";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "coppice-clients-"));
});
afterEach(() => rmSync(home, { recursive: true }));

function write(path: string, value: unknown): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), typeof value === "string" ? value : JSON.stringify(value));
}

function named(name: string): Client {
  const client = CLIENTS.find((each) => each.name === name);
  if (!client) throw new Error(name);
  return client;
}

function placeFor(env: Env) {
  return { env, home, directory: join(home, "project") };
}

interface Started extends Pointed {
  readonly upstreams: Readonly<Record<string, string>>;
  readonly kept: Readonly<Record<string, string>>;
}

function start(client: Client, env: Env = {}, args: readonly string[] = [], hasTools = true): Started {
  const place = placeFor(env);
  const upstreams = toUpstreams(client.addresses(place));
  const kept: Record<string, string> = {};
  const pointed = client.point({
    place,
    args,
    url: PROXY,
    mcpUrl: hasTools ? `${PROXY}/mcp` : undefined,
    isNamed: (name) => name in upstreams,
    base: (name, path = "") => `${PROXY}/${name}${name in upstreams ? "" : path}`,
    keep(name, text) {
      kept[name] = text;
      return `/private/${name}`;
    },
  });
  return { ...pointed, upstreams, kept };
}

const SERVER = '{"mcpServers":{"coppice":{"type":"http","url":"http://127.0.0.1:9/mcp"}}}';

describe("Claude Code", () => {
  test("uses its environment, with the tools in an option that takes no following word", () => {
    expect(start(named("claude"))).toMatchObject({
      env: { ANTHROPIC_BASE_URL: `${PROXY}/anthropic` },
      args: [`--mcp-config=${SERVER}`, "--allowedTools=mcp__coppice"],
      upstreams: {},
    });
    expect(start(named("claude"), {}, [], false).args).toEqual([]);
  });

  test("nothing makes it treat the proxy as Anthropic's own server", () => {
    expect(Object.keys(start(named("claude")).env ?? {})).toEqual([
      "ANTHROPIC_BASE_URL",
      "ENABLE_TOOL_SEARCH",
    ]);
  });

  test("it searches for tools as at Anthropic's own address, unless the user has set it", () => {
    const searches = (env: Env = {}) => start(named("claude"), env).env?.ENABLE_TOOL_SEARCH;
    expect(searches()).toBe("true");
    expect(searches({ ANTHROPIC_BASE_URL: "https://api.anthropic.com" })).toBe("true");
    expect(searches({ ANTHROPIC_BASE_URL: "https://gateway.test" })).toBeUndefined();
    expect(searches({ ENABLE_TOOL_SEARCH: "auto:5" })).toBeUndefined();
    write("project/.claude/settings.json", { env: { ENABLE_TOOL_SEARCH: "false" } });
    expect(searches()).toBeUndefined();
  });

  test("an address in its settings has precedence over the environment: it becomes the upstream, and is overridden", () => {
    write(".claude/settings.json", { env: { ANTHROPIC_BASE_URL: "https://gateway.test/a" } });
    const started = start(named("claude"), { ANTHROPIC_BASE_URL: "https://other.test" });
    expect(started.upstreams).toEqual({ anthropic: "https://gateway.test/a" });
    expect(started.args?.[0]).toBe(`--settings={"env":{"ANTHROPIC_BASE_URL":"${PROXY}/anthropic"}}`);
  });

  test("the user's settings on the command line stay", () => {
    write(".claude/settings.json", { env: { ANTHROPIC_BASE_URL: "https://gateway.test" } });
    for (const args of [["--settings", "a.json"], ["--settings={}"]])
      expect(start(named("claude"), {}, args, false).args).toEqual([]);
  });

  test("the project's settings have precedence over the user's", () => {
    write(".claude/settings.json", { env: { ANTHROPIC_BASE_URL: "https://user.test" } });
    write("project/.claude/settings.json", { env: { ANTHROPIC_BASE_URL: "https://project.test" } });
    write("project/.claude/settings.local.json", { env: { ANTHROPIC_BASE_URL: "https://local.test" } });
    const urls = named("claude").addresses(placeFor({}));
    expect(urls.map(({ url }) => url)).toEqual([
      "https://local.test",
      "https://project.test",
      "https://user.test",
    ]);
  });

  test("Bedrock and Vertex are ways around", () => {
    write(".claude/settings.json", { env: { CLAUDE_CODE_USE_VERTEX: "1" } });
    expect(named("claude").detours?.(placeFor({ CLAUDE_CODE_USE_BEDROCK: "1" }))).toEqual([
      "CLAUDE_CODE_USE_BEDROCK is set",
      expect.stringContaining("sets CLAUDE_CODE_USE_VERTEX"),
    ]);
    expect(named("claude").detours?.(placeFor({ CLAUDE_CODE_USE_BEDROCK: "0" }))).toHaveLength(1);
  });
});

describe("Codex", () => {
  const tools = [
    ...["-c", `mcp_servers.coppice.url="${PROXY}/mcp"`],
    ...["-c", 'mcp_servers.coppice.omit_tools_from=["code_mode","deferred"]'],
  ];

  test("uses options before its command; the headers show a login, so the path names no provider", () => {
    expect(start(named("codex"))).toMatchObject({ args: ["-c", `openai_base_url="${PROXY}/v1"`, ...tools] });
  });

  test("an address in its settings becomes the upstream", () => {
    write(".codex/config.toml", 'openai_base_url = "https://gateway.test/v1"\n');
    expect(start(named("codex"))).toMatchObject({
      upstreams: { openai: "https://gateway.test/v1" },
      args: ["-c", `openai_base_url="${PROXY}/openai"`, ...tools],
    });
  });

  test("a provider of the user's own stays the provider", () => {
    write(
      "elsewhere/config.toml",
      'model_provider = "mine"\n[model_providers.mine]\nbase_url = "https://mine.test/v1"\n',
    );
    expect(start(named("codex"), { CODEX_HOME: join(home, "elsewhere") })).toMatchObject({
      upstreams: { mine: "https://mine.test/v1" },
      args: ["-c", `model_providers.mine.base_url="${PROXY}/mine"`, ...tools],
    });
  });

  test("a provider without an address bypasses the proxy", () => {
    write(".codex/config.toml", 'model_provider = "oss"\n');
    expect(named("codex").detours?.(placeFor({}))).toHaveLength(1);
    expect(start(named("codex")).args).toEqual(tools);
  });

  test("settings that can't be read are Codex's to complain of", () => {
    write(".codex/config.toml", "model_provider = \n[[[");
    expect(start(named("codex")).upstreams).toEqual({});
  });
});

describe("Gemini CLI", () => {
  const LOGIN = { security: { auth: { selectedType: "gemini-api-key" } } };

  test("uses its environment, without tools: it accepts none on the command line", () => {
    write(".gemini/settings.json", LOGIN);
    expect(start(named("gemini"))).toEqual({
      env: { GOOGLE_GEMINI_BASE_URL: `${PROXY}/gemini` },
      upstreams: {},
      kept: {},
    });
  });

  test("the nearest file of variables is used, after the environment", () => {
    write(".gemini/.env", "GOOGLE_GEMINI_BASE_URL=https://far.test\n");
    expect(start(named("gemini")).upstreams).toEqual({ gemini: "https://far.test" });
    write("project/.env", 'A=1\r\nexport GOOGLE_GEMINI_BASE_URL="https://near.test"\r\n');
    expect(start(named("gemini")).upstreams).toEqual({ gemini: "https://near.test" });
    expect(start(named("gemini"), { GOOGLE_GEMINI_BASE_URL: "https://env.test" }).upstreams).toEqual({
      gemini: "https://env.test",
    });
  });

  test("without a chosen login, an address would break it: it gets none", () => {
    expect(start(named("gemini")).env).toBeUndefined();
    expect(named("gemini").detours?.(placeFor({}))?.join()).toContain("/auth");
    write(".gemini/settings.json", LOGIN);
    expect(named("gemini").detours?.(placeFor({}))).toEqual([]);
  });

  test("a Google login bypasses the proxy", () => {
    write(".gemini/settings.json", { security: { auth: { selectedType: "oauth-personal" } } });
    expect(named("gemini").detours?.(placeFor({}))?.join()).toContain("Google account");
  });
});

describe("Qwen Code", () => {
  test("uses DashScope if nothing names an address, and so does the proxy for it", () => {
    expect(named("qwen").defaults).toEqual({ openai: "https://dashscope.aliyuncs.com/compatible-mode/v1" });
  });

  test("by its environment", () => {
    expect(start(named("qwen"), { OPENAI_BASE_URL: "https://dash.test/compatible/v1" })).toMatchObject({
      env: { OPENAI_BASE_URL: `${PROXY}/openai`, ANTHROPIC_BASE_URL: `${PROXY}/anthropic` },
      upstreams: { openai: "https://dash.test/compatible/v1" },
    });
  });

  test("models with their own addresses bypass the proxy", () => {
    write(".qwen/settings.json", { modelProviders: { openai: [{ id: "a", baseUrl: "https://a.test" }] } });
    expect(named("qwen").detours?.(placeFor({}))?.join()).toContain("modelProviders");
  });
});

describe("Copilot", () => {
  test("only with a provider of the user's own", () => {
    expect(start(named("copilot")).env).toBeUndefined();
    expect(named("copilot").detours?.(placeFor({}))?.join()).toContain("COPILOT_PROVIDER_BASE_URL");
    const env = { COPILOT_PROVIDER_BASE_URL: "https://a.test/v1", COPILOT_PROVIDER_TYPE: "openai" };
    expect(start(named("copilot"), env)).toMatchObject({
      env: { COPILOT_PROVIDER_BASE_URL: `${PROXY}/openai` },
      upstreams: { openai: "https://a.test/v1" },
    });
    const anthropic = { COPILOT_PROVIDER_BASE_URL: "https://a.test", COPILOT_PROVIDER_TYPE: "anthropic" };
    expect(start(named("copilot"), anthropic).env).toEqual({
      COPILOT_PROVIDER_BASE_URL: `${PROXY}/anthropic`,
    });
  });
});

describe("OpenCode", () => {
  const contentOf = ({ env }: Started) => JSON.parse(env?.OPENCODE_CONFIG_CONTENT ?? "");

  test("names only providers that the user has: another would make OpenCode offer it", () => {
    expect(contentOf(start(named("opencode"))).provider).toEqual({});
    expect(contentOf(start(named("opencode"), { ANTHROPIC_API_KEY: "k" })).provider).toEqual({
      anthropic: { options: { baseURL: `${PROXY}/anthropic/v1` } },
    });
    write(".local/share/opencode/auth.json", { openai: { type: "api" }, opencode: { type: "api" } });
    expect(Object.keys(contentOf(start(named("opencode"))).provider)).toEqual(["openai"]);
  });

  test("existing values stay", () => {
    write("project/opencode.json", { provider: { mine: { options: { baseURL: "https://mine.test/v1" } } } });
    const own = { model: "a/b", mcp: { other: { type: "local" } }, provider: { x: { npm: "y" } } };
    const started = start(named("opencode"), { OPENCODE_CONFIG_CONTENT: JSON.stringify(own) });
    expect(started.upstreams).toEqual({ mine: "https://mine.test/v1" });
    expect(contentOf(started)).toEqual({
      model: "a/b",
      mcp: { other: { type: "local" }, coppice: { type: "remote", url: `${PROXY}/mcp`, oauth: false } },
      provider: { x: { npm: "y" }, mine: { options: { baseURL: `${PROXY}/mine` } } },
    });
  });
});

test("pi gets an extension that names every provider's address, its own and the user's", async () => {
  write(".pi/agent/models.json", { providers: { local: { baseUrl: "http://localhost:1/v1" } } });
  const { args, kept, upstreams } = start(named("pi"));
  expect(args).toEqual(["--extension", "/private/pi.mjs"]);
  expect(upstreams).toEqual({ local: "http://localhost:1/v1" });
  const registered: Record<string, unknown> = {};
  const code = `data:text/javascript,${encodeURIComponent(kept["pi.mjs"] ?? "")}`;
  const { default: extend } = await import(/* @vite-ignore */ code);
  extend({
    registerProvider: (name: string, config: unknown) => Object.assign(registered, { [name]: config }),
  });
  expect(registered).toEqual({
    local: { baseUrl: `${PROXY}/local` },
    anthropic: { baseUrl: `${PROXY}/anthropic` },
    openai: { baseUrl: `${PROXY}/openai/v1` },
    "openai-codex": { baseUrl: `${PROXY}/chatgpt/backend-api` },
    google: { baseUrl: `${PROXY}/gemini/v1beta` },
  });
});

test("any command gets all the usual variables, and their previous values become upstreams", () => {
  expect(start(anyCommand("aider", []), { OPENAI_API_BASE: "https://a.test/v1" })).toEqual({
    env: {
      ANTHROPIC_BASE_URL: `${PROXY}/anthropic`,
      OPENAI_BASE_URL: `${PROXY}/openai`,
      OPENAI_API_BASE: `${PROXY}/openai`,
      GOOGLE_GEMINI_BASE_URL: `${PROXY}/gemini`,
      COPPICE_MCP_URL: `${PROXY}/mcp`,
    },
    upstreams: { openai: "https://a.test/v1" },
    kept: {},
  });
});

test.each([
  ["aider", ["--model", "sonnet"], "aider"],
  ["/usr/bin/node", ["--import", "tsx", "src/agent.ts", "--port", "1"], "agent"],
  ["node", ["./bin/my-agent.mjs"], "my-agent"],
  ["npx", ["-y", "@acme/agent@1.2"], "@acme/agent"],
  ["uv", ["run", "agent.py"], "agent"],
  ["python3", ["-m", "aider"], "aider"],
  ["env", ["DEBUG=1", "goose"], "goose"],
  // the program itself is not a name
  ["node", ["-e", "await fetch(url)"], "node"],
  ["node", [], "node"],
])("the command %s %j is called %s", (program, args, name) => {
  expect(anyCommand(program, args)).toMatchObject({ id: name, title: name, program });
});
