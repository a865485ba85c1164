import { describe, expect, test } from "vitest";
import { ownerOf } from "../../src/prefix/owner-of.ts";
import { type ReadPrefixOptions, readPrefix } from "../../src/prefix/read-prefix.ts";

const read = (body: object, terms: ReadPrefixOptions) => readPrefix(JSON.stringify(body), terms) ?? [];
const tool = (name: string) => ({ name, description: "Does it.", input_schema: { type: "object" } });

describe("the pieces of a request", () => {
  test("Anthropic: system, reminders, tools; the prompt and cache marks are left out", () => {
    const body = {
      system: [{ type: "text", text: "You are it.\n# Style\nShort." }],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "<system-reminder>\nBe kind.\n</system-reminder>" },
            { type: "text", text: "Go" },
          ],
        },
        { role: "system", content: [{ type: "text", text: "# Environment\nLinux" }] },
      ],
      tools: [
        { ...tool("Bash"), cache_control: { type: "ephemeral" } },
        { ...tool("mcp__words__look_up"), defer_loading: true },
        { type: "web_search_20250305", name: "web_search" },
      ],
    };
    const pieces = read(body, { wire: "anthropic-messages", prompt: "Go" });
    expect(pieces.map(({ group, name }) => `${group}: ${name}`)).toEqual([
      "system prompt: before the first heading",
      "system prompt: Style",
      "reminders: Be kind.",
      "system prompt: Environment",
      "built-in tools: Bash",
      "deferred tools: mcp__words__look_up",
      "built-in tools: web_search",
    ]);
    expect(pieces.map(({ text }) => text).join()).not.toMatch(/Go|cache_control|defer_loading/);
    expect(pieces[5]).toMatchObject({ isTool: true, isHidden: true, server: "words" });
  });

  test("OpenAI Chat: system is a message; text before the prompt in one message stays", () => {
    const body = {
      messages: [
        { role: "system", content: "You are it." },
        { role: "user", content: [{ type: "text", text: "<current_datetime>now</current_datetime>\n\nGo" }] },
      ],
      tools: [{ type: "function", function: { name: "words-look_up", parameters: {} } }],
    };
    expect(read(body, { wire: "openai-chat", prompt: "Go", servers: ["words"] })).toMatchObject([
      { group: "system prompt" },
      { group: "reminders", name: "current_datetime", text: "<current_datetime>now</current_datetime>" },
      { group: "MCP servers", name: "words-look_up", server: "words" },
    ]);
  });

  test("OpenAI Responses: namespaces, tools without a name, and tools in the description of one", () => {
    const description =
      "Runs JavaScript.\n\n### `apply_patch`\nPatches.\ndeclare const tools: { apply_patch(input: string): Promise<unknown>; };\n### `web__run`\nSearches.";
    const body = {
      input: [
        {
          type: "additional_tools",
          tools: [
            { type: "namespace", name: "functions", tools: [{ type: "custom", name: "exec", description }] },
            { type: "namespace", name: "mcp__words", tools: [{ type: "function", name: "look_up" }] },
          ],
        },
        { type: "message", role: "developer", content: [{ type: "input_text", text: "You are it." }] },
        { type: "message", role: "user", content: [{ type: "input_text", text: "Go" }] },
      ],
      tools: [{ type: "web_search" }],
    };
    expect(read(body, { wire: "openai-responses", prompt: "Go" })).toMatchObject([
      { group: "system prompt", text: "You are it." },
      { name: "web_search", group: "built-in tools" },
      { name: "exec" },
      { name: "apply_patch", within: "exec" },
      { name: "web__run", within: "exec" },
      { name: "mcp__words__look_up", server: "words", group: "MCP servers" },
    ]);
  });

  test("Gemini: declarations, and the request that Code Assist wraps", () => {
    const request = {
      systemInstruction: { parts: [{ text: "# Mandates\nx" }] },
      contents: [{ role: "user", parts: [{ text: "Set up." }, { text: "Go" }] }],
      tools: [{ functionDeclarations: [{ name: "read_file" }] }, { googleSearch: {} }],
    };
    const names = ["Mandates", "Set up.", "read_file", "googleSearch"];
    for (const body of [request, { model: "gemini", request }])
      expect(read(body, { wire: "gemini", prompt: "Go" }).map(({ name }) => name)).toEqual(names);
  });

  test("if the prompt is unknown, the user's last text is left out", () => {
    const body = {
      messages: [
        { role: "user", content: "Context." },
        { role: "user", content: "Whatever" },
      ],
    };
    expect(read(body, { wire: "openai-chat" }).map(({ text }) => text)).toEqual(["Context."]);
  });

  test("unreadable bodies", () => {
    expect(readPrefix("{", { wire: "gemini" })).toBeUndefined();
    expect(readPrefix("[]", { wire: "gemini" })).toBeUndefined();
    expect(read({ messages: 5, tools: "no" }, { wire: "anthropic-messages" })).toEqual([]);
  });
});

test.each([
  ["mcp__git__status", [], "git"],
  ["git_status", ["git"], "git"],
  ["git-status", ["git"], "git"],
  ["mcp_git_status", ["git"], "git"],
  ["git_hub_status", ["git", "git_hub"], "git_hub"],
  ["my_server_x", ["my.server"], "my.server"],
  ["gitstatus", ["git"], undefined],
  ["read_file", ["git"], undefined],
])("%s with the servers %j is of %s", (name, servers, owner) => {
  expect(ownerOf(name, servers)).toBe(owner);
});
