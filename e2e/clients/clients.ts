import { CLAUDE_CODE } from "./claude-code.ts";
import type { Client } from "./client.ts";
import { CODEX, CODEX_CHATGPT, CODEX_PLAIN } from "./codex.ts";
import { COPILOT } from "./copilot.ts";
import { GEMINI_CLI } from "./gemini-cli.ts";
import { OPENCODE } from "./opencode.ts";
import { PI_CLIENTS } from "./pi.ts";
import { QWEN_CODE } from "./qwen-code.ts";

/** Every client, once with each of its wires. */
export const CLIENTS: readonly Client[] = [
  CLAUDE_CODE,
  CODEX,
  CODEX_PLAIN,
  CODEX_CHATGPT,
  GEMINI_CLI,
  QWEN_CODE,
  ...COPILOT,
  ...PI_CLIENTS,
  ...OPENCODE,
];
