import { type JSONSchema, toJsonSchema } from "@langchain/core/utils/json_schema";
import type { ModelRequest } from "langchain";
import { isRecord } from "../../basics/json.ts";
import { readMarks, withoutOwn } from "../../wires/cache-marks.ts";
import { countPrefix, stringIn } from "../../wires/read-body.ts";
import type { ConversationRequest } from "../conversation/conversations.ts";

/** Reads a LangChain request other than its messages. */
export function readModelRequest(
  { model, tools, systemMessage, messages, modelSettings, runtime }: ModelRequest,
  ours: readonly { readonly name: string }[],
): ConversationRequest {
  const name = readModelName(model);
  const session: unknown = runtime.configurable?.thread_id;
  const theirs = tools.filter((tool) => !ours.some((own) => own.name === tool.name));
  return {
    format: "langchain",
    prefixTokens: countPrefix(systemMessage.content, theirs.map(describeTool)),
    hasTools: tools.length > 0,
    agentTools: theirs.length < tools.length,
    ...(name !== undefined && { model: name }),
    ...(typeof session === "string" && { session }),
    // Results are plain texts here, which can't have our marks.
    ...withoutOwn(readMarks(isRecord(modelSettings) ? modelSettings : {}, [systemMessage.content], messages)),
  };
}

/** The setting that keeps the history on the provider's server, if one does. */
export function findHistoryOnServer({ modelSettings = {} }: ModelRequest): string | undefined {
  return ["previous_response_id", "conversation"].find((setting) => modelSettings[setting] != null);
}

/** For a chat model, one that `initChatModel` made, or one with bound settings. */
function readModelName(model: unknown): string | undefined {
  if (!isRecord(model)) return undefined;
  return (
    stringIn(model, "model") ??
    stringIn(model, "modelName") ??
    stringIn(model._defaultConfig, "model") ??
    (model.bound === model ? undefined : readModelName(model.bound))
  );
}

/** A tool roughly as the provider sees it; a tool of the provider itself is plain data. */
function describeTool(tool: ModelRequest["tools"][number]): unknown {
  const { name, description, schema } = tool;
  return schema === undefined ? tool : { name, description, parameters: readSchema(schema) };
}

function readSchema(schema: unknown): unknown {
  try {
    return toJsonSchema(schema as JSONSchema);
  } catch {
    // Zod can express schemas that JSON Schema can't.
    return undefined;
  }
}
