import { expect, test } from "vitest";
import { nameClient } from "../../../src/hosts/proxy/name-client.ts";

test.each([
  [{ "x-claude-code-session-id": "s1", "user-agent": "claude-cli/2.1" }, "claude-code"],
  [{ originator: "codex_cli_rs", "user-agent": "codex_cli_rs/0.50" }, "codex"],
  [{ "user-agent": "codex_cli_rs/0.166" }, "codex"],
  [{ "user-agent": "claude-cli/2.1.0 (external, cli)" }, "claude-code"],
  [{ "user-agent": "GeminiCLI/0.9 (linux; x64)" }, "gemini-cli"],
  [{ "user-agent": "opencode/1.0.4" }, "opencode"],
  [{ "user-agent": "my-agent" }, "my-agent"],
  // a runtime or a library is not a program
  [{ "user-agent": "node" }, undefined],
  [{ "user-agent": "node-fetch/1.0 (+https://github.com/bitinn/node-fetch)" }, undefined],
  [{ "user-agent": "python-httpx/0.27.0" }, undefined],
  [{ "user-agent": "Anthropic/JS 0.60.0" }, undefined],
  [{ "user-agent": "Anthropic/JS 0.60.0 my-agent/1.2" }, "my-agent"],
  [{ "user-agent": "ai/5.0.1 ai-sdk/anthropic/2.0 runtime/node.js/20" }, undefined],
  [{ "user-agent": "node", "x-title": "Roo Code" }, "roo-code"],
  [{ "user-agent": "node", "x-title": "\u001b[31m" }, "31m"],
  [{ "user-agent": "x".repeat(100_000) }, "x".repeat(40)],
  [{}, undefined],
])("%j is %s", (headers, name) => {
  expect(nameClient(headers)).toBe(name);
});
