import { isRecord, type JsonRecord } from "../basics/json.ts";
import type { WireName } from "../wires/wire.ts";
import { listTools } from "./list-tools.ts";
import type { PrefixGroup, PrefixPiece } from "./piece.ts";
import { splitText } from "./split-text.ts";

export interface ReadPrefixOptions {
  readonly wire: WireName;
  /** The user's prompt, which is not part of the prefix. If unknown, the last user text is left out. */
  readonly prompt?: string;
  /** Names of MCP servers in the client's configuration. */
  readonly servers?: readonly string[];
}

/** The text of a client's first request before the user's first word; `undefined` if the body can't be read. */
export function readPrefix(body: string, terms: ReadPrefixOptions): readonly PrefixPiece[] | undefined {
  const request = parse(body);
  if (!request) return undefined;
  const { wire, prompt, servers = [] } = terms;
  const { texts, tools } = FIELDS[wire](request);
  const before = leaveOutPrompt(texts, prompt);
  return [
    ...joinSections(before.flatMap(({ group, text }) => splitText(text, group, servers))),
    ...tools.flatMap((list) => listTools(list, servers)),
  ];
}

/** Joins pieces of the same name from several texts. */
function joinSections(pieces: readonly PrefixPiece[]): readonly PrefixPiece[] {
  const joined = new Map<string, PrefixPiece>();
  for (const piece of pieces) {
    const key = JSON.stringify([piece.group, piece.name, piece.server]);
    const known = joined.get(key);
    joined.set(key, known ? { ...known, text: `${known.text}\n${piece.text}` } : piece);
  }
  return [...joined.values()];
}

function parse(body: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(body);
    if (!isRecord(value)) return undefined;
    // Code Assist wraps Gemini's request.
    return isRecord(value.request) ? value.request : value;
  } catch {
    return undefined;
  }
}

interface Text {
  readonly group: PrefixGroup;
  readonly text: string;
}

interface Fields {
  readonly texts: readonly Text[];
  readonly tools: readonly unknown[];
}

const anthropic = (body: JsonRecord): Fields => ({
  texts: [...listTexts(body.system, "system prompt"), ...listMessages(body.messages)],
  tools: [body.tools],
});

const FIELDS: Readonly<Record<WireName, (body: JsonRecord) => Fields>> = {
  "anthropic-messages": anthropic,
  "anthropic-count-tokens": anthropic,
  "openai-chat": (body) => ({ texts: listMessages(body.messages), tools: [body.tools, body.functions] }),
  "openai-responses": (body) => ({
    texts: [
      ...listTexts(body.instructions, "system prompt"),
      ...(typeof body.input === "string" ? listTexts(body.input, "reminders") : listMessages(body.input)),
    ],
    tools: [body.tools, ...listOf(body.input).flatMap((item) => (isRecord(item) ? [item.tools] : []))],
  }),
  gemini: (body) => ({
    texts: [
      ...listTexts(body.systemInstruction ?? body.system_instruction, "system prompt"),
      ...listMessages(body.contents),
    ],
    tools: [body.tools],
  }),
};

function listMessages(messages: unknown): readonly Text[] {
  return listOf(messages).flatMap((message) => {
    if (!isRecord(message)) return [];
    const isSystem = message.role === "system" || message.role === "developer";
    if (!isSystem && message.role !== "user") return [];
    return listTexts(message.content ?? message, isSystem ? "system prompt" : "reminders");
  });
}

/** Texts of a field: a string, a list of blocks, or Gemini's `{ parts }`. */
function listTexts(value: unknown, group: PrefixGroup): readonly Text[] {
  if (typeof value === "string") return value === "" ? [] : [{ group, text: value }];
  const blocks = isRecord(value) ? value.parts : value;
  return listOf(blocks).flatMap((block) =>
    isRecord(block) && typeof block.text === "string" && block.text !== ""
      ? [{ group, text: block.text }]
      : [],
  );
}

function leaveOutPrompt(texts: readonly Text[], prompt: string | undefined): readonly Text[] {
  const at = texts.findLastIndex(
    ({ group, text }) => group === "reminders" && (prompt === undefined || text.trimEnd().endsWith(prompt)),
  );
  return texts.flatMap((each, i) => {
    if (i !== at) return [each];
    const text = prompt === undefined ? "" : each.text.trimEnd().slice(0, -prompt.length);
    return text.trim() === "" ? [] : [{ ...each, text }];
  });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
