import { createHash } from "node:crypto";
import { HOME } from "./workspace.mjs";

const MODEL = "claude-sonnet-4-5-20250929";
const CHARS_PER_TOKEN = 3.6;
const SYSTEM_TOKENS = 14_620;
const CACHE_TTL = 5 * 60_000;
const START = Date.parse("2026-01-20T09:14:07.312Z");
const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const SESSION = identify("session", uuidFrom);

/**
 * A session file as Claude Code writes it: one JSON line per block of a response, all of a response's lines with
 * the same message id and request id, one line per result, and every line with a link to the one before it.
 */
export function createRecording() {
  const lines = [];
  let counter = 0;
  let clock = START;
  let parent = null;
  let tokens = SYSTEM_TOKENS;
  let cached = { tokens: 0, at: Number.NEGATIVE_INFINITY };
  let turnStarted = START;
  return {
    addUserMessage,
    addResponse,
    addResult,
    endTurn,
    toText,
    contextTokens: () => tokens - SYSTEM_TOKENS,
  };

  function addUserMessage(text, pauseSeconds) {
    clock += pauseSeconds * 1000 + pick(`pause${counter}`, 700);
    turnStarted = clock;
    const uuid = nextId(uuidFrom);
    const snapshot = { messageId: uuid, trackedFileBackups: {}, timestamp: timestamp() };
    lines.push({ type: "file-history-snapshot", messageId: uuid, snapshot, isSnapshotUpdate: false });
    push(uuid, {
      type: "user",
      message: { role: "user", content: text },
      thinkingMetadata: { level: "high", disabled: false, triggers: [] },
      todos: [],
    });
    tokens += count(text);
  }

  /** Gives the uuid of each block's line: results refer to the line of their call. */
  function addResponse(blocks, stopReason) {
    const id = `msg_01${nextId(base58)}`;
    const requestId = `req_011C${nextId(base58).slice(0, 20)}`;
    const usage = usageOfRequest();
    const output = blocks.reduce((sum, block) => sum + count(block), 0);
    clock += 2_100 + pick(id, 3_400);
    const uuids = blocks.map((block, index) => {
      const last = index === blocks.length - 1;
      clock += 240 + count(block) * 13;
      const uuid = nextId(uuidFrom);
      push(uuid, {
        message: {
          model: MODEL,
          id,
          type: "message",
          role: "assistant",
          content: [block],
          stop_reason: last ? stopReason : null,
          stop_sequence: null,
          usage: { ...usage, output_tokens: last ? output : 1 + pick(uuid, 3) },
        },
        requestId,
        type: "assistant",
      });
      return uuid;
    });
    tokens += output;
    return uuids;
  }

  function addResult(callUuid, block, details, milliseconds) {
    clock += milliseconds;
    const message = { role: "user", content: [block] };
    parent = callUuid;
    push(nextId(uuidFrom), {
      type: "user",
      message,
      toolUseResult: details,
      sourceToolAssistantUUID: callUuid,
    });
    tokens += count(block.content);
  }

  function endTurn() {
    clock += 40;
    push(nextId(uuidFrom), {
      type: "system",
      subtype: "turn_duration",
      durationMs: clock - turnStarted,
      isMeta: false,
    });
  }

  function toText() {
    return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
  }

  /** What a provider with a five-minute cache would count for a request with everything so far. */
  function usageOfRequest() {
    const read = clock - cached.at <= CACHE_TTL ? cached.tokens : 0;
    const written = tokens - read;
    cached = { tokens, at: clock };
    return {
      input_tokens: 4 + pick(`input${counter}`, 6),
      cache_creation_input_tokens: written,
      cache_read_input_tokens: read,
      cache_creation: { ephemeral_5m_input_tokens: written, ephemeral_1h_input_tokens: 0 },
      service_tier: "standard",
    };
  }

  function push(uuid, fields) {
    lines.push({
      parentUuid: parent,
      isSidechain: false,
      userType: "external",
      cwd: HOME,
      sessionId: SESSION,
      version: "2.1.12",
      gitBranch: "main",
      slug: "patient-counting-otter",
      ...fields,
      uuid,
      timestamp: timestamp(),
    });
    parent = uuid;
  }

  function timestamp() {
    return new Date(clock).toISOString();
  }

  function nextId(form) {
    counter += 1;
    return identify(String(counter), form);
  }
}

export function callIdFor(number) {
  return `toolu_01${identify(`call${number}`, base58)}`;
}

/** Looks like a provider's signature, signs nothing. */
export function signThinking(thinking) {
  const length = Math.min(600, 180 + thinking.length);
  let bytes = Buffer.alloc(0);
  while (bytes.length < length) {
    bytes = Buffer.concat([bytes, createHash("sha256").update(thinking).update(bytes).digest()]);
  }
  return bytes.subarray(0, length).toString("base64");
}

function count(value) {
  if (typeof value === "string") return Math.ceil(value.length / CHARS_PER_TOKEN);
  if (value.type === "tool_use") return Math.ceil(JSON.stringify(value.input).length / CHARS_PER_TOKEN) + 12;
  return count(value.text ?? value.thinking);
}

function identify(name, form) {
  return form(createHash("sha256").update(`coppice sample ${name}`).digest());
}

function uuidFrom(bytes) {
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function base58(bytes) {
  return [...bytes.subarray(0, 22)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
}

/** A number below `limit`, always the same for the same name. */
function pick(name, limit) {
  return createHash("sha256").update(name).digest().readUInt32BE() % limit;
}
