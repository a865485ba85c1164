import { formatByName } from "../../src/formats/detect.ts";
import type { FormatName } from "../../src/formats/format.ts";
import { decodeMessages } from "../../src/formats/intake/decode.ts";
import type { Part } from "../../src/transcript/part.ts";
import type { DialectName } from "../provider/dialects.ts";
import type { Provider, Received, Reply, ScriptedCall } from "../provider/provider.ts";

/** A tool of the program under test. */
export interface AppTool {
  readonly name: "read_file" | "run";
  readonly description: string;
  readonly argument: "path" | "command";
  run(argument: string): string;
}

export const APP_TOOLS: readonly [AppTool, AppTool] = [
  { name: "read_file", description: "Reads a file.", argument: "path", run: (path) => textOf(path) },
  { name: "run", description: "Runs a command.", argument: "command", run: (command) => textOf(command) },
];

/** The text of a file or a command: always the same, some 500 tokens. */
function textOf(name: string): string {
  return Array.from({ length: 40 }, (_, i) => `${name} line ${i}: const total${i} = order.rate * ${i};`).join(
    "\n",
  );
}

/** Asks Anthropic to cache the whole prompt, after all changes of a host. */
export const cachingFetch: typeof fetch = (url, init) => {
  const mark = { cache_control: { type: "ephemeral" } };
  return fetch(url, { ...init, body: JSON.stringify({ ...JSON.parse(String(init?.body)), ...mark }) });
};

export const FORMAT_OF: Readonly<Record<DialectName, FormatName>> = {
  anthropic: "anthropic-messages",
  chat: "openai-chat",
  responses: "openai-responses",
  gemini: "gemini",
};

export function partsOf({ dialect, messages }: Pick<Received, "dialect" | "messages">): readonly Part[] {
  return decodeMessages(formatByName(FORMAT_OF[dialect]), messages).flatMap(({ parts }) => parts);
}

/** By call id, the text of its result as sent. */
export function resultsOf(request: Pick<Received, "dialect" | "messages">): ReadonlyMap<string, string> {
  return new Map(
    partsOf(request).flatMap((part) =>
      part.kind === "result" ? [[part.callId, part.leaves.map(({ text }) => text).join("\n")]] : [],
    ),
  );
}

const NAME = /\[talk (\w+)\]/;

/** The conversation of a request, which its prompt names. */
export function talkOf(request: Received): string {
  return NAME.exec(request.raw)?.[1] ?? "";
}

/** The newest request. */
export function lastOf({ received }: Provider): Received {
  const request = received.at(-1);
  if (!request) throw new Error("nothing was received");
  return request;
}

/** The model's action at step n of a turn of `steps` steps: it reads files repeatedly, and queries the state. */
function planned(n: number): Omit<ScriptedCall, "id"> {
  if (n % 4 === 0) return { name: "run", input: { command: "git status" } };
  return { name: "read_file", input: { path: `src/module-${n % 7}.ts` } };
}

export interface SessionPlan {
  /** Steps of each turn, the last of which is a text. */
  readonly steps: number;
  /** Other actions of the model at a step, depending on its input. */
  instead?(n: number, request: Received): Omit<ScriptedCall, "id"> | undefined;
}

/** A model that works through the plan, in any number of conversations at once. */
export function playSession({ steps, instead }: SessionPlan): (request: Received) => Reply {
  return (request) => {
    const talk = talkOf(request);
    const parts = partsOf(request);
    const prompts = parts.filter(({ kind, role }) => kind === "text" && role === "user").length;
    const made = parts.flatMap((part) =>
      part.kind === "call" ? [Number(part.callId.split("_").at(-1))] : [],
    );
    const n = made.length === 0 ? 0 : Math.max(...made) + 1;
    if (n >= steps * Math.max(1, prompts) - 1) return { text: `done with ${talk}` };
    const call = instead?.(n, request) ?? planned(n);
    return { text: `Step ${n}.`, calls: [{ id: `call_${talk}_${n}`, ...call }] };
  };
}
