import { join } from "node:path";
import { type Address, addressesIn, type Client, type ClientPlace } from "./client.ts";
import { readSettingsFile, textAt } from "./read-settings-file.ts";

const ADDRESS = "ANTHROPIC_BASE_URL";

/** Without it, some versions load the definition of every MCP tool as soon as they get another address. */
const TOOL_SEARCH = "ENABLE_TOOL_SEARCH";

/** These make Claude Code use another provider's interface, at another address. */
const OTHER_PROVIDERS = [
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_USE_FOUNDRY",
  "CLAUDE_CODE_USE_MANTLE",
];

export const CLAUDE: Client = {
  name: "claude",
  title: "Claude Code",
  id: "claude-code",
  program: "claude",
  install: "npm install -g @anthropic-ai/claude-code",

  addresses(place) {
    return [
      ...listSettings(place).flatMap((file): readonly Address[] => {
        const url = textAt(readSettingsFile(file), "env", ADDRESS);
        return url === undefined ? [] : [{ upstream: "anthropic", url, where: file }];
      }),
      ...addressesIn(place.env, "anthropic", [ADDRESS]),
    ];
  },

  detours(place) {
    const isOn = (value: string | undefined) => value !== undefined && value !== "" && value !== "0";
    const files = listSettings(place);
    return OTHER_PROVIDERS.flatMap((name) => [
      ...(isOn(place.env[name]) ? [`${name} is set`] : []),
      ...files
        .filter((file) => isOn(textAt(readSettingsFile(file), "env", name)))
        .map((file) => `${file} sets ${name}`),
    ]);
  },

  point({ place, args, mcpUrl, isNamed, base }) {
    const url = base("anthropic");
    const isTheirs = !isNamed("anthropic") || CLAUDE.addresses(place).some((each) => isAnthropic(each.url));
    const servers = { mcpServers: { coppice: { type: "http", url: mcpUrl } } };
    // Settings files have precedence over the environment, and this option over them.
    const isOverruled = listSettings(place).some((file) => textAt(readSettingsFile(file), "env", ADDRESS));
    const hasOwn = args.some((arg) => /^--settings(?:=|$)/.test(arg));
    return {
      env: { [ADDRESS]: url, ...(isTheirs && toolSearch(place)) },
      // Written with `=`, because these options would also take the following words.
      args: [
        ...(isOverruled && !hasOwn ? [`--settings=${JSON.stringify({ env: { [ADDRESS]: url } })}`] : []),
        // The tools change only the conversation, so no permission is needed.
        ...(mcpUrl === undefined
          ? []
          : [`--mcp-config=${JSON.stringify(servers)}`, "--allowedTools=mcp__coppice"]),
      ],
    };
  },
};

/** The setting that Claude Code uses by itself at Anthropic's own address, unless the user has set it. */
export function toolSearch(place: ClientPlace): Readonly<Record<string, string>> {
  const isSet =
    place.env[TOOL_SEARCH] !== undefined ||
    listSettings(place).some((file) => textAt(readSettingsFile(file), "env", TOOL_SEARCH) !== undefined);
  return isSet ? {} : { [TOOL_SEARCH]: "true" };
}

function isAnthropic(url: string): boolean {
  return URL.canParse(url) && new URL(url).hostname === "api.anthropic.com";
}

/** The strongest first. */
function listSettings(place: ClientPlace): readonly string[] {
  const { directory } = place;
  return [
    "/etc/claude-code/managed-settings.json",
    join(directory, ".claude/settings.local.json"),
    join(directory, ".claude/settings.json"),
    claudeFile(place),
  ];
}

export function claudeFile({ env, home }: ClientPlace): string {
  return join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), "settings.json");
}
