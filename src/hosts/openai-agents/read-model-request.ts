import { SYSTEM_TEXT } from "../../agent/system-text.ts";
import { infoTool, pruneTool, recallTool } from "../../agent/tool-definitions.ts";
import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { countPrefix, stringIn } from "../../wires/read-body.ts";
import type { ConversationRequest } from "../conversation/conversations.ts";

/** The items of a request; a text is what a user says. */
export function readInput({ input }: JsonRecord): readonly unknown[] {
  if (typeof input === "string") return [{ role: "user", content: input }];
  if (Array.isArray(input)) return input;
  throw new Error("the input of a request is neither a text nor a list");
}

/** What the SDK knows of a request beside its items. */
export function readModelRequest(request: JsonRecord, model: string | undefined): ConversationRequest {
  const { systemInstructions, handoffs, prompt, outputType, modelSettings } = request;
  const tools = toolsOf(request);
  const ttl = readTtl(modelSettings);
  return {
    format: "openai-agents",
    prefixTokens: countPrefix(
      systemInstructions,
      tools.filter((tool) => !isOurs(tool)),
      handoffs,
      isRecord(outputType) ? outputType : undefined,
    ),
    // A prompt that OpenAI keeps may have some.
    hasTools: tools.length > 0 || (Array.isArray(handoffs) && handoffs.length > 0) || prompt != null,
    agentTools: hasOurTools(request),
    ...(model !== undefined && { model }),
    ...(ttl !== undefined && { ttl }),
  };
}

/** The request with these items, and our text behind the instructions of an agent that has our tools. */
export function writeModelRequest(request: JsonRecord, items: readonly unknown[]): JsonRecord {
  const { input, systemInstructions } = request;
  // A text that nothing was done to stays a text.
  const [first] = items;
  const isSame =
    items.length === 1 && isRecord(first) && typeof input === "string" && first.content === input;
  const instructions = typeof systemInstructions === "string" ? systemInstructions : "";
  return {
    ...request,
    input: isSame ? input : [...items],
    ...(hasOurTools(request) && {
      systemInstructions: instructions === "" ? SYSTEM_TEXT : `${instructions}\n\n${SYSTEM_TEXT}`,
    }),
  };
}

/** Which field says that the history is on OpenAI's server, if one does. */
export function findHistoryOnServer(request: JsonRecord): string | undefined {
  return ["previousResponseId", "conversationId"].find((field) => request[field] != null);
}

/** OpenAI's own models keep their name, others may too. */
export function readModelName(model: unknown): string | undefined {
  return stringIn(model, "_model") ?? stringIn(model, "model");
}

function toolsOf({ tools }: JsonRecord): readonly unknown[] {
  return Array.isArray(tools) ? tools : [];
}

const OURS: ReadonlySet<unknown> = new Set([pruneTool, recallTool, infoTool].map(({ name }) => name));

function isOurs(tool: unknown): boolean {
  return isRecord(tool) && OURS.has(tool.name);
}

function hasOurTools(request: JsonRecord): boolean {
  return toolsOf(request).some((tool) => isRecord(tool) && tool.name === infoTool.name);
}

const MINUTE = 60_000;

/** How long the prefix is to be kept, in milliseconds, where it says. */
function readTtl(settings: unknown): number | undefined {
  if (!isRecord(settings)) return undefined;
  const { promptCacheRetention, promptCacheOptions } = settings;
  if (promptCacheRetention === "24h") return 24 * 60 * MINUTE;
  return isRecord(promptCacheOptions) && promptCacheOptions.ttl === "30m" ? 30 * MINUTE : undefined;
}
