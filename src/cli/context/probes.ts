import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRecord } from "../../basics/json.ts";
import { makeFolder } from "../../stores/make-folder.ts";
import type { ClientPlace } from "../clients/client.ts";
import { codexFile } from "../clients/codex.ts";
import { qwenFile } from "../clients/qwen.ts";
import { readSettingsFile } from "../clients/read-settings-file.ts";
import { opencodeFile } from "../opencode-files.ts";
import type { Probe } from "./probe.ts";

/** A key that no provider accepts: the stub requires none. */
const NO_KEY = "coppice-context";

/** Without a person, Gemini CLI and Qwen Code leave out tools that need permission. The stub calls none. */
const ALL_TOOLS = ["--approval-mode=yolo"];

const CLAUDE: Probe = {
  words: (pointed, args, prompt) => [...pointed, ...args, "-p", prompt],
  env: () => ({ ANTHROPIC_API_KEY: NO_KEY, ANTHROPIC_AUTH_TOKEN: undefined, DISABLE_AUTOUPDATER: "1" }),
  state: [
    { path: ".claude", variable: "CLAUDE_CONFIG_DIR" },
    { path: ".claude.json" },
    { path: ".cache/claude-cli-nodejs" },
  ],
  servers: (place) => [...projectServers(place), ...claudeServers(place)],
  switchOff: ({ group, name, isTool, server }) => {
    if (isTool && server === undefined) return `--disallowedTools=${name}`;
    if (isTool) return `permissions.deny: ["${name}"]`;
    if (name === "introduction") return undefined;
    if (group === "skills") return `skillOverrides: { "${name}": "off" }`;
    return group === "agents" ? `permissions.deny: ["Agent(${name})"]` : undefined;
  },
  switchOffServer: (server, place) =>
    projectServers(place).includes(server)
      ? `disabledMcpjsonServers: ["${server}"]`
      : `permissions.deny: ["mcp__${server}"]`,
  lean: {
    // Written with `=`, because the option would also take the following word.
    words: (tools) => [`--disallowedTools=${tools.join(",")}`],
    // Without ToolSearch every deferred tool would be loaded.
    needed: /^(?:ToolSearch|DeferredToolPlaceholder|mcp__coppice__.*)$/,
    resuming: /^(?:-c|--continue|-r|--resume(?:=.*)?|--from-pr(?:=.*)?)$/,
  },
};

const CODEX: Probe = {
  words: (pointed, args, prompt) => [...pointed, "exec", "--skip-git-repo-check", ...args, prompt],
  env: () => ({ CODEX_API_KEY: NO_KEY }),
  state: [{ path: ".codex", variable: "CODEX_HOME" }],
  servers: (place) => keysAt(readSettingsFile(codexFile(place)), "mcp_servers"),
  switchOff({ name, isTool, server, group }) {
    if (server !== undefined)
      return isTool
        ? `mcp_servers.${server}.disabled_tools=["${name.replace(/^mcp__.+?__/, "")}"]`
        : undefined;
    if (group === "skills") return undefined;
    return CODEX_SWITCHES.find(([tools]) => tools.test(name))?.[1];
  },
  switchOffServer: (server) => `mcp_servers.${server}.enabled=false`,
};

const CODEX_SWITCHES: readonly (readonly [tools: RegExp, setting: string])[] = [
  [/^(?:web_search|web__run)$/, '-c web_search="disabled"'],
  [/^(?:get|create|update)_goal$/, "-c features.goals=false"],
  [/^view_image$/, "-c features.view_image=false"],
];

const GEMINI: Probe = {
  words: (pointed, args, prompt) => [...pointed, ...ALL_TOOLS, "--skip-trust", ...args, "-p", prompt],
  env: () => ({
    GEMINI_API_KEY: NO_KEY,
    GOOGLE_GENAI_USE_VERTEXAI: undefined,
    GOOGLE_GENAI_USE_GCA: undefined,
  }),
  state: [{ path: ".gemini" }],
  prepare: ({ home }) => {
    const file = join(home, ".gemini/settings.json");
    const settings = readSettingsFile(file);
    const security = isRecord(settings.security) ? settings.security : {};
    const auth = { selectedType: "gemini-api-key" };
    makeFolder(dirname(file));
    writeFileSync(file, JSON.stringify({ ...settings, security: { ...security, auth } }));
  },
  servers: (place) => [".gemini/settings.json"].flatMap((file) => jsonServers(place, file)),
  sessions: [".gemini/tmp"],
  switchOff: ({ name, isTool, server, group }) =>
    !isTool
      ? group === "skills" && name !== "introduction"
        ? `skills.disabled: ["${name}"]`
        : undefined
      : server === undefined
        ? `tools.exclude: ["${name}"]`
        : `mcpServers.${server}.excludeTools: ["${name.replace(`mcp_${server}_`, "")}"]`,
  switchOffServer: (server) => `mcp.excluded: ["${server}"]`,
};

const QWEN: Probe = {
  words: (pointed, args, prompt) => [
    ...[...pointed, ...ALL_TOOLS, "--auth-type", "openai"],
    ...[...args, "--prompt", prompt],
  ],
  env: ({ OPENAI_MODEL }) => ({ OPENAI_API_KEY: NO_KEY, OPENAI_MODEL: OPENAI_MODEL || "qwen3-coder-plus" }),
  state: [{ path: ".qwen", variable: "QWEN_HOME" }],
  servers: (place) => [
    ...keysAt(readSettingsFile(qwenFile(place)), "mcpServers"),
    ...keysAt(readSettingsFile(join(place.directory, ".qwen/settings.json")), "mcpServers"),
    ...projectServers(place),
  ],
  sessions: [".qwen/projects"],
  switchOff: ({ name, isTool }) => (isTool ? `--exclude-tools=${name}` : undefined),
  switchOffServer: (server) => `mcp.excluded: ["${server}"]`,
  lean: {
    words: (tools) => tools.map((tool) => `--exclude-tools=${tool}`),
    needed: /^(?:tool_search|tool_call|mcp__coppice__.*)$/,
    resuming: /^(?:-c|--continue|-r|--resume(?:=.*)?)$/,
  },
};

const COPILOT: Probe = {
  words: (pointed, args, prompt) => [...pointed, ...args, "-p", prompt],
  env: (env) => ({
    COPILOT_OFFLINE: "true",
    COPILOT_PROVIDER_API_KEY: NO_KEY,
    COPILOT_PROVIDER_TYPE: env.COPILOT_PROVIDER_TYPE || "anthropic",
    COPILOT_PROVIDER_BASE_URL: env.COPILOT_PROVIDER_BASE_URL || "http://127.0.0.1",
    COPILOT_MODEL: env.COPILOT_MODEL || "claude-sonnet-4.5",
  }),
  state: [{ path: ".copilot", variable: "COPILOT_HOME" }, { path: ".cache/copilot" }],
  servers: ({ env, home }) =>
    keysAt(
      readSettingsFile(join(env.COPILOT_HOME || join(home, ".copilot"), "mcp-config.json")),
      "mcpServers",
    ),
  sessions: [".copilot/session-state"],
  switchOff: ({ name, isTool }) => (isTool ? `--excluded-tools=${name}` : undefined),
  switchOffServer: (server) => `--disable-mcp-server=${server}`,
  lean: {
    words: (tools) => [`--excluded-tools=${tools.join(",")}`],
    needed: /^coppice-/,
    resuming: /^(?:-c|--continue|--resume(?:=.*)?)$/,
  },
};

const OPENCODE: Probe = {
  words: (pointed, args, prompt) => [...pointed, "run", ...args, prompt],
  env: (env) => ({
    ...(hasKey(env) ? {} : { ANTHROPIC_API_KEY: NO_KEY }),
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
  }),
  state: [
    { path: ".config/opencode" },
    { path: ".local/share/opencode" },
    { path: ".local/state/opencode" },
    { path: ".cache/opencode" },
  ],
  leavings: [".git/opencode"],
  servers: ({ env, home, directory }) => {
    const folders = { ...env, XDG_CONFIG_HOME: env.XDG_CONFIG_HOME || join(home, ".config") };
    return [opencodeFile(false, directory), opencodeFile(true, directory, folders)].flatMap((file) =>
      file ? keysAt(readSettingsFile(file), "mcp") : [],
    );
  },
  switchOff: ({ name, isTool, group }) =>
    isTool
      ? `"tools": { "${name}": false }`
      : group === "skills" && name !== "introduction"
        ? `"permission": { "skill": { "${name}": "deny" } }`
        : undefined,
  switchOffServer: (server) => `"mcp": { "${server}": { "enabled": false } }`,
};

const PI: Probe = {
  words: (pointed, args, prompt) => [...pointed, ...args, "-p", prompt],
  env: (env) => ({ ...(hasKey(env) ? {} : { ANTHROPIC_API_KEY: NO_KEY }), PI_OFFLINE: "1" }),
  state: [{ path: ".pi", variable: "PI_CODING_AGENT_DIR" }],
  servers: () => [],
  switchOff: ({ name, isTool, group }) =>
    isTool ? `--exclude-tools ${name}` : group === "skills" ? "--no-skills" : undefined,
  lean: {
    words: (tools) => ["--exclude-tools", tools.join(",")],
    needed: /^(?:context_(?:prune|recall|info)|__pi_deferred_placeholder__)$/,
    resuming: /^(?:-c|--continue|-r|--resume|--session(?:=.*)?)$/,
  },
};

/** An unknown program: it has to send a request by itself. */
export const ANY: Probe = {
  words: (pointed, args) => [...pointed, ...args],
  env: () => ({ ANTHROPIC_API_KEY: NO_KEY, OPENAI_API_KEY: NO_KEY, GEMINI_API_KEY: NO_KEY }),
  state: [],
  servers: projectServers,
  switchOff: () => undefined,
};

/** By command name. */
export const PROBES: Readonly<Record<string, Probe>> = {
  claude: CLAUDE,
  codex: CODEX,
  gemini: GEMINI,
  qwen: QWEN,
  copilot: COPILOT,
  opencode: OPENCODE,
  pi: PI,
};

function hasKey(env: ClientPlace["env"]): boolean {
  return ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY"].some((name) => env[name]);
}

function projectServers({ directory }: ClientPlace): readonly string[] {
  return keysAt(readSettingsFile(join(directory, ".mcp.json")), "mcpServers");
}

function jsonServers({ home, directory }: ClientPlace, file: string): readonly string[] {
  return [home, directory].flatMap((folder) => keysAt(readSettingsFile(join(folder, file)), "mcpServers"));
}

function claudeServers({ env, home, directory }: ClientPlace): readonly string[] {
  const settings = readSettingsFile(join(env.CLAUDE_CONFIG_DIR || home, ".claude.json"));
  const { projects } = settings;
  const own = isRecord(projects) ? projects[directory] : undefined;
  return [...keysAt(settings, "mcpServers"), ...(isRecord(own) ? keysAt(own, "mcpServers") : [])];
}

function keysAt(record: Readonly<Record<string, unknown>>, field: string): readonly string[] {
  const value = record[field];
  return isRecord(value) ? Object.keys(value) : [];
}
