import type { FormatName } from "../../src/formats/format.ts";
import { findWire } from "../../src/wires/find-wire.ts";
import type { Wire, WireName, WireRequest } from "../../src/wires/wire.ts";

export const PATHS: Readonly<Record<WireName, string>> = {
  "anthropic-messages": "/v1/messages?beta=true",
  "anthropic-count-tokens": "/v1/messages/count_tokens",
  "openai-chat": "/v1/chat/completions",
  "openai-responses": "/v1/responses",
  gemini: "/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse",
};

/** The wire for messages of a format. */
export const WIRE_OF: Readonly<Partial<Record<FormatName, WireName>>> = {
  "anthropic-messages": "anthropic-messages",
  "openai-chat": "openai-chat",
  "openai-responses": "openai-responses",
};

export function wireNamed(name: WireName): Wire {
  const wire = findWire("POST", PATHS[name]);
  if (wire?.name !== name) throw new Error(`no wire ${name} at ${PATHS[name]}`);
  return wire;
}

export function mustReadBody(name: WireName, body: unknown, path: string = PATHS[name]): WireRequest {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const request = wireNamed(name).read(text, path);
  if (!request) throw new Error(`${name}: the body was not read`);
  return request;
}

/** A body with these messages, and some fields that real ones have around them. */
export function bodyOf(name: WireName, messages: readonly unknown[]): Record<string, unknown> {
  const tools = [{ name: "read", description: "Reads a file.", input_schema: { type: "object" } }];
  switch (name) {
    case "anthropic-messages":
    case "anthropic-count-tokens":
      return { model: "m", system: [{ type: "text", text: "You are." }], messages, tools, temperature: 1 };
    case "openai-chat":
      return { model: "m", messages, tools, stream: true };
    case "openai-responses":
      return { model: "m", instructions: "You are.", input: messages, tools, store: false };
    case "gemini":
      return { contents: messages, systemInstruction: { parts: [{ text: "You are." }] }, tools };
  }
}
