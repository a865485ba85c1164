import { join } from "node:path";
import { type Address, addressesIn, type Client, type Place } from "./client.ts";
import { readSettingsFile, textAt } from "./read-settings-file.ts";

const ADDRESS = "ANTHROPIC_BASE_URL";

/** They make Claude Code ask another provider's interface, at an address of its own. */
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

  point({ place, args, mcpUrl, base }) {
    const url = base("anthropic");
    const servers = { mcpServers: { coppice: { type: "http", url: mcpUrl } } };
    // Settings files count more than the environment, and this option more than they.
    const isOverruled = listSettings(place).some((file) => textAt(readSettingsFile(file), "env", ADDRESS));
    const hasOwn = args.some((arg) => /^--settings(?:=|$)/.test(arg));
    return {
      env: { [ADDRESS]: url },
      // Written with `=`: else they would take the words behind them as well.
      args: [
        ...(isOverruled && !hasOwn ? [`--settings=${JSON.stringify({ env: { [ADDRESS]: url } })}`] : []),
        // The tools touch nothing but the conversation: nobody needs to be asked for leave.
        ...(mcpUrl === undefined
          ? []
          : [`--mcp-config=${JSON.stringify(servers)}`, "--allowedTools=mcp__coppice"]),
      ],
    };
  },
};

/** The strongest first. */
function listSettings(place: Place): readonly string[] {
  const { directory } = place;
  return [
    "/etc/claude-code/managed-settings.json",
    join(directory, ".claude/settings.local.json"),
    join(directory, ".claude/settings.json"),
    claudeFile(place),
  ];
}

export function claudeFile({ env, home }: Place): string {
  return join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), "settings.json");
}
