import { isRecord } from "../../basics/json.ts";
import { listProviders } from "../../formats/ai-sdk/provider-options.ts";
import { type ReadMark, readMarks, withoutOwn } from "../../wires/cache-marks.ts";
import { countPrefix, toolNamesIn } from "../../wires/read-body.ts";
import type { ConversationRequest } from "../conversation/conversations.ts";

/** What a language model is called with, as far as it is read here; of V2 to V4. */
export interface CallParams {
  readonly prompt: readonly unknown[];
  readonly tools?: readonly unknown[] | undefined;
  readonly providerOptions?: unknown;
}

interface ReadCall extends Omit<ConversationRequest, "format" | "model"> {
  readonly agentTools: boolean;
  /** Why the request has to be left alone: the server holds history, and this is not all of it. */
  readonly historyOnServer: string | undefined;
}

/**
 * What the parameters of a call say beside the prompt. The system text is in the prompt, and is counted there. Without a list of
 * tools it is not known whether there are any.
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
    ...withoutOwn(readMarks({ providerOptions }, [tools], prompt, readProviderMark)),
  };
}

/** The options of OpenAI's Responses, and of those who offer the same. */
function findHistoryOnServer(options: unknown): string | undefined {
  return ["previousResponseId", "conversation"].find((field) =>
    listProviders(options).some((provider) => provider[field] != null),
  );
}

/** The mark of a request, a tool, a message or a part of one. */
const readProviderMark: ReadMark = ({ providerOptions }) => {
  if (providerOptions === undefined) return undefined;
  const marks = listProviders(providerOptions)
    .map(({ cacheControl }) => cacheControl)
    .filter(isRecord);
  if (marks.length === 0) return undefined;
  return marks.some(({ ttl }) => ttl === "1h") ? { ttl: HOUR } : {};
};

const HOUR = 3_600_000;
