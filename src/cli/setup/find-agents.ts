import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { claudeFile } from "../clients/claude.ts";
import type { ClientPlace } from "../clients/client.ts";
import { codexFile } from "../clients/codex.ts";
import { qwenFile } from "../clients/qwen.ts";
import { findProgram } from "../run-client.ts";

/** An agent on this machine. */
export interface FoundAgent {
  readonly name: string;
  readonly title: string;
  /** Its program, or the folder by which it was found. */
  readonly where: string;
  /** The step for the user, if `init` can't write a setting. */
  readonly byHand?: string;
}

interface Sign {
  readonly name: string;
  readonly title: string;
  readonly program?: string;
  /** The folders of its settings. */
  folders?(place: ClientPlace): readonly string[];
  /** The prefix of the extension's folder name in an editor. */
  readonly extension?: string;
  byHand?(url: string): string;
}

const SIGNS: readonly Sign[] = [
  {
    name: "claude",
    title: "Claude Code",
    program: "claude",
    folders: (place) => [dirname(claudeFile(place))],
    extension: "anthropic.claude-code-",
  },
  { name: "codex", title: "Codex", program: "codex", folders: (place) => [dirname(codexFile(place))] },
  { name: "gemini", title: "Gemini CLI", program: "gemini", folders: ({ home }) => [join(home, ".gemini")] },
  { name: "qwen", title: "Qwen Code", program: "qwen", folders: (place) => [dirname(qwenFile(place))] },
  {
    name: "opencode",
    title: "OpenCode",
    program: "opencode",
    folders: ({ env, home }) => [join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode")],
  },
  {
    name: "pi",
    title: "pi",
    program: "pi",
    folders: ({ env, home }) => [env.PI_CODING_AGENT_DIR || join(home, ".pi/agent")],
    byHand: () => "pi install npm:coppice",
  },
  {
    name: "omp",
    title: "oh-my-pi",
    program: "omp",
    folders: ({ home }) => [join(home, ".omp")],
    byHand: () => "omp install coppice",
  },
  {
    name: "copilot",
    title: "Copilot CLI",
    program: "copilot",
    folders: ({ home }) => [join(home, ".copilot")],
    byHand: () => "coppice wrap copilot (it reads no address from a file)",
  },
  {
    name: "cline",
    title: "Cline",
    extension: "saoudrizwan.claude-dev-",
    byHand: (url) => `in its settings, "Use custom base URL": ${url}/anthropic`,
  },
];

/** Folders in the home folder where VS Code and its variants keep extensions. */
const EDITORS = [
  ".vscode",
  ".vscode-insiders",
  ".vscode-server",
  ".vscode-oss",
  ".cursor",
  ".cursor-server",
  ".windsurf",
];

/** Finds agents by their programs, settings folders and editor extensions. */
export function findAgents(place: ClientPlace, url: string): readonly FoundAgent[] {
  const extensions = listExtensions(place.home);
  return SIGNS.flatMap((sign): readonly FoundAgent[] => {
    const { name, title, program, extension } = sign;
    const where =
      (program && findProgram(program, place.env.PATH)) ??
      sign.folders?.(place).find((folder) => existsSync(folder)) ??
      (extension && extensions.find((path) => path.slice(dirname(path).length + 1).startsWith(extension)));
    const byHand = sign.byHand?.(url);
    return where ? [{ name, title, where, ...(byHand !== undefined && { byHand }) }] : [];
  });
}

function listExtensions(home: string): readonly string[] {
  return EDITORS.map((editor) => join(home, editor, "extensions"))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
}
