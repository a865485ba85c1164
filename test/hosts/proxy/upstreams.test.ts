import { expect, test } from "vitest";
import { findRoute, USUAL_UPSTREAMS } from "../../../src/hosts/proxy/upstreams.ts";

const UPSTREAMS = { ...USUAL_UPSTREAMS, openrouter: "https://openrouter.ai/api" };

test.each<[string, Record<string, string>, string]>([
  ["/v1/messages?beta=true", {}, "https://api.anthropic.com/v1/messages?beta=true"],
  ["/v1/models", { "anthropic-version": "2023-06-01" }, "https://api.anthropic.com/v1/models"],
  ["/v1/models", {}, "https://api.openai.com/v1/models"],
  ["/v1/responses", {}, "https://api.openai.com/v1/responses"],
  ["/v1/responses", { "chatgpt-account-id": "a" }, "https://chatgpt.com/backend-api/codex/responses"],
  ["/responses", { "chatgpt-account-id": "a" }, "https://chatgpt.com/backend-api/codex/responses"],
  ["/backend-api/wham/usage", {}, "https://chatgpt.com/backend-api/wham/usage"],
  [
    "/v1beta/models/g:streamGenerateContent?alt=sse",
    {},
    "https://generativelanguage.googleapis.com/v1beta/models/g:streamGenerateContent?alt=sse",
  ],
  ["/openrouter/v1/chat/completions", {}, "https://openrouter.ai/api/v1/chat/completions"],
  ["/openrouter?x=1", {}, "https://openrouter.ai/api/?x=1"],
  ["/anthropic/v1/messages", {}, "https://api.anthropic.com/v1/messages"],
  ["/constructor/v1", {}, "https://api.openai.com/constructor/v1"],
  ["//evil.example/v1", {}, "https://api.openai.com//evil.example/v1"],
])("%s goes to %s", (path, headers, url) => {
  const route = findRoute(path, headers, UPSTREAMS);
  expect(`${route.origin}${route.path}`).toBe(url);
});
