import { CLAUDE } from "./claude.ts";
import type { Client } from "./client.ts";
import { CODEX } from "./codex.ts";
import { COPILOT } from "./copilot.ts";
import { GEMINI } from "./gemini.ts";
import { OPENCODE } from "./opencode.ts";
import { PI } from "./pi.ts";
import { QWEN } from "./qwen.ts";

export const CLIENTS: readonly Client[] = [CLAUDE, CODEX, GEMINI, QWEN, COPILOT, PI, OPENCODE];
