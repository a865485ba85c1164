import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** A folder, or a database, where an agent keeps its sessions. */
export interface SessionFolder {
  readonly agent: string;
  readonly path: string;
  /** The pattern of session files, if the folder has other files too. */
  readonly only?: RegExp;
}

/** The facts that decide where the folders are. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** The current folder. */
  readonly directory: string;
}

/** VS Code and its variants. */
const EDITORS = ["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"];

const CLINE_FILE = /[\\/]api_conversation_history\.json$/;

/**
 * The folders where agents keep their sessions by default. tau-bench, tau2-bench and Moatless are benchmarks without
 * a default folder: whoever runs them chooses it.
 */
export function listSessionFolders({
  env = process.env,
  home = homedir(),
  platform = process.platform,
  directory = process.cwd(),
}: Partial<Machine> = {}): readonly SessionFolder[] {
  const config = env.XDG_CONFIG_HOME || join(home, ".config");
  const claude = env.CLAUDE_CONFIG_DIR
    ? [env.CLAUDE_CONFIG_DIR]
    : [join(home, ".claude"), ...existing(join(config, "claude"))];
  const codex = env.CODEX_HOME || join(home, ".codex");
  const opencode = join(env.XDG_DATA_HOME || join(home, ".local/share"), "opencode");
  const gemini = join(env.GEMINI_CLI_HOME || home, ".gemini/tmp");
  const copilot = env.COPILOT_HOME || join(home, ".copilot");
  const openhands = env.FILE_STORE_PATH || join(home, ".openhands");
  const support = platform === "darwin" ? join(home, "Library/Application Support") : config;
  const mini = env.MSWEA_GLOBAL_CONFIG_DIR || join(support, "mini-swe-agent");
  const trajectories = join(directory, "trajectories");
  const [usual = "", ...others] = EDITORS.map((editor) => join(support, editor, "User/globalStorage"));
  const storages = [usual, ...others.filter((path) => existsSync(path))];
  const inEditors = (agent: string, extension: string): readonly SessionFolder[] =>
    storages.map((path) => ({ agent, path: join(path, extension, "tasks"), only: CLINE_FILE }));
  return [
    ...claude.map((path) => ({ agent: "Claude Code", path: join(path, "projects") })),
    { agent: "Codex", path: join(codex, "sessions") },
    { agent: "Codex", path: join(codex, "archived_sessions") },
    { agent: "OpenCode", path: join(opencode, "storage/session") },
    { agent: "OpenCode", path: join(opencode, "opencode.db") },
    { agent: "pi", path: join(env.PI_CODING_AGENT_DIR || join(home, ".pi/agent"), "sessions") },
    { agent: "Gemini CLI", path: gemini, only: /[\\/]chats[\\/][^\\/]+$/ },
    { agent: "Copilot CLI", path: join(copilot, "session-state"), only: /[\\/]events\.jsonl$/ },
    ...inEditors("Cline", "saoudrizwan.claude-dev"),
    { agent: "Cline", path: join(home, ".cline/data/tasks"), only: CLINE_FILE },
    ...inEditors("Roo Code", "rooveterinaryinc.roo-cline"),
    { agent: "OpenHands", path: join(openhands, "sessions"), only: /[\\/]events$/ },
    { agent: "mini-swe-agent", path: mini, only: /\.traj\.json$/ },
    { agent: "SWE-agent", path: env.SWE_AGENT_TRAJECTORY_DIR || trajectories, only: /\.traj$/ },
    { agent: "trae-agent", path: trajectories, only: /[\\/]trajectory_[^\\/]*\.json$/ },
  ];
}

function existing(path: string): readonly string[] {
  return existsSync(path) ? [path] : [];
}
