import { isRecord, type JsonRecord } from "../../basics/json.ts";
import { listProviders } from "../../formats/ai-sdk/provider-options.ts";
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
    ...(asksForAnHour([{ providerOptions }, ...tools, ...prompt]) && { ttl: HOUR }),
  };
}

/** The options of OpenAI's Responses, and of those who offer the same. */
function findHistoryOnServer(options: unknown): string | undefined {
  return ["previousResponseId", "conversation"].find((field) =>
    listProviders(options).some((provider) => provider[field] != null),
  );
}

/** Does a cache mark of the request, of its tools, messages or their parts, ask for an hour instead of five minutes? */
function asksForAnHour(holders: readonly unknown[]): boolean {
  return holders
    .filter(isRecord)
    .some(
      (holder) =>
        hasHourMark(holder) ||
        (Array.isArray(holder.content) && holder.content.some((part) => isRecord(part) && hasHourMark(part))),
    );
}

function hasHourMark({ providerOptions }: JsonRecord): boolean {
  return (
    providerOptions !== undefined &&
    listProviders(providerOptions).some(
      ({ cacheControl }) => isRecord(cacheControl) && cacheControl.ttl === "1h",
    )
  );
}

const HOUR = 3_600_000;
