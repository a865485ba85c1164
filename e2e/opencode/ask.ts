import { type Recorded, textOf, type WireRequest } from "./model.ts";
import type { Line, Talk } from "./stage.ts";

/* Queries of tests on a request, and calls of their scripted agents. */

/** The text of a call's result. */
export function resultOf(request: Recorded | WireRequest | undefined, call: string): string {
  const body = request && "body" in request ? request.body : request;
  const message = body?.messages.find(({ tool_call_id }) => tool_call_id === call);
  if (!message) throw new Error(`the request has no result of ${call}`);
  return textOf(message);
}

/** The arguments of a call, as sent. */
export function inputOf(request: Recorded | undefined, call: string): string {
  const calls = request?.body.messages.flatMap((message) => message.tool_calls ?? []) ?? [];
  return calls.find(({ id }) => id === call)?.function.arguments ?? "";
}

/** The ref that a call's result is tagged with. */
export function refOf(request: Recorded | WireRequest | undefined, call: string): string {
  const text = resultOf(request, call);
  const ref = [...text.matchAll(/^<tool_hash>([0-9a-f]{6})<\/tool_hash>$/gm)].at(-1)?.[1];
  if (!ref) throw new Error(`the result of ${call} carries no ref: ${text.slice(-200)}`);
  return ref;
}

type Call = { readonly name: string; readonly input: unknown; readonly id?: string };

/** The call with a unique id, to find it again. */
export const as = (id: string, call: Call): Call => ({ ...call, id });

export const read = (filePath: string, range: object = {}): Call => ({
  name: "read",
  input: { filePath, ...range },
});
export const bash = (command: string): Call => ({ name: "bash", input: { command, description: "Runs it" } });
export const edit = (filePath: string, oldString: string, newString: string): Call => ({
  name: "edit",
  input: { filePath, oldString, newString },
});
export const write = (filePath: string, content: string): Call => ({
  name: "write",
  input: { filePath, content },
});
export const todo = (...todos: readonly (readonly [string, string])[]): Call => ({
  name: "todowrite",
  input: { todos: todos.map(([content, status]) => ({ content, status, priority: "high" })) },
});
export const fetchUrl = (url: string): Call => ({ name: "webfetch", input: { url, format: "text" } });
export const task = (prompt: string): Call => ({
  name: "task",
  input: { description: "Look", prompt, subagent_type: "general" },
});
export const prune = (action: string, targets: unknown): Call => ({
  name: "context_prune",
  input: { action, targets },
});
export const recall = (ref: string, more: object = {}): Call => ({
  name: "context_recall",
  input: { ref, ...more },
});
export const info = (): Call => ({ name: "context_info", input: {} });

/** A source file of some 600 tokens. */
export const source = (name: string, lines = 60): string =>
  Array.from({ length: lines }, (_, i) => `export const ${name}${i} = ${i}; // value ${i} of ${name}`).join(
    "\n",
  );

/** The first ref that is shown for an assistant's text or reasoning. */
export function tagOf(request: Recorded | WireRequest | undefined, kind: "message" | "reasoning"): string {
  const body = request && "body" in request ? request.body : request;
  const texts = body?.messages.map(textOf).join("\n") ?? "";
  const ref = new RegExp(`<${kind}_hash>([0-9a-f]{6})</${kind}_hash>`).exec(texts)?.[1];
  if (!ref) throw new Error(`the request shows no ref of a ${kind}`);
  return ref;
}

/** Reasoning that is long enough for a tag. */
export const thought = (about: string): string =>
  `${`I think about ${about} for quite a while. `.repeat(60)}End of ${about}.`;
/** The same for the agent's texts. */
export const said = (about: string): string =>
  `${`Here is what I found about ${about}. `.repeat(60)}That was ${about}.`;

/** Requests cuts, and returns the answer to that call. */
export async function ask(talk: Talk, make: (request: WireRequest) => Call, model: string): Promise<string> {
  const id = `ask${talk.steps.length}`;
  const line: Line = (request) => ({ calls: [as(id, make(request))] });
  await talk.say("Tidy up.", [line, { text: "Done." }], { model });
  return resultOf(talk.steps.at(-1), id);
}
