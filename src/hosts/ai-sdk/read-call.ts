import { isRecord } from "../../basics/json.ts";
import { listProviders } from "../../formats/ai-sdk/provider-options.ts";
import { type ReadMark, readMarks } from "../../wires/cache-marks.ts";
import { countPrefix, toolNamesIn } from "../../wires/read-body.ts";
import type { ConversationRequest } from "../conversation/conversations.ts";

/** The part of a language model's call options that is read here; V2 to V4. */
export interface CallParams {
  readonly prompt: readonly unknown[];
  readonly tools?: readonly unknown[] | undefined;
  readonly providerOptions?: unknown;
}

interface ReadCall extends Omit<ConversationRequest, "format" | "model"> {
  readonly agentTools: boolean;
  /** Why the request must not be pruned: the server holds some of its history. */
  readonly historyOnServer: string | undefined;
}

/**
 * Reads the call options other than the prompt. The system text is in the prompt, and is counted there. Without a
 * list of tools, it is unknown whether there are any.
 */
export function readCall(
  { prompt, tools: listed, providerOptions }: CallParams,
  ours: readonly { readonly name: string }[],
): ReadCall {
  const tools = listed ?? [];
  const names = new Set(toolNamesIn(tools));
  const theirs = tools.filter((tool) => !ours.some(({ name }) => isRecord(tool) && tool.name === name));
  return {
    prefixTokens: countPrefix(theirs),
    hasTools: listed?.length !== 0,
    agentTools: ours.some(({ name }) => names.has(name)),
    historyOnServer: findHistoryOnServer(providerOptions),
    ...readMarks({ providerOptions }, [tools], prompt, readProviderMark),
  };
}

/** The options of OpenAI's Responses, and of providers with the same interface. */
function findHistoryOnServer(options: unknown): string | undefined {
  return ["previousResponseId", "conversation"].find((field) =>
    listProviders(options).some((provider) => provider[field] != null),
  );
}

/** The cache mark of a request, a tool, a message or a part of a message. */
const readProviderMark: ReadMark = ({ providerOptions }) => {
  if (providerOptions === undefined) return undefined;
  const marks = listProviders(providerOptions)
    .map(({ cacheControl }) => cacheControl)
    .filter(isRecord);
  if (marks.length === 0) return undefined;
  return marks.some(({ ttl }) => ttl === "1h") ? { ttl: HOUR } : {};
};

const HOUR = 3_600_000;
