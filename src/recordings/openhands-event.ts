import type { Issue } from "../basics/issue.ts";
import { isRecord, type JsonRecord } from "../basics/json.ts";
import { writeJson } from "../basics/write-json.ts";
import { addChatResponse, makeMeta, readChatUsage } from "./chat-message.ts";
import { listAt, numberAt, objectAt, stringAt, timeOf } from "./json.ts";
import { SegmentSteps } from "./segment-steps.ts";
import type { ChatBlock, ChatSegment, ChatStep } from "./to-chat.ts";

/** An action or an observation of OpenHands. */
export function isEvent(value: unknown): value is JsonRecord {
  return (
    isRecord(value) &&
    stringAt(value, "source") !== undefined &&
    (stringAt(value, "action") !== undefined || stringAt(value, "observation") !== undefined)
  );
}

/** Fields of an action's `args` that are the agent's words or the host's notes, and not arguments of a tool. */
const notArguments = new Set([
  "thought",
  "confirmation_state",
  "security_risk",
  "is_confirmed",
  "is_input",
  "is_static",
  "blocking",
  "hidden",
  "cwd",
]);

/**
 * Events as messages of chat completions.
 *
 *   { source: "user", action: "message", args: { content } }           ->  a user message
 *   { source: "agent", action: "run", args: { command, thought } }     ->  a call, with the thought before it
 *   { observation: "run", content, cause }                             ->  the result of the call with the id `cause`
 *
 * Actions of one response carry its id (`tool_call_metadata.model_response`) and are one step.
 */
export class EventReader {
  readonly segment: ChatSegment = new SegmentSteps();
  readonly #issues: Issue[];
  readonly #responses = new Map<string, ChatStep>();
  /** From an action's id to the id of its call. */
  readonly #calls = new Map<number, string>();

  constructor(issues: Issue[]) {
    this.#issues = issues;
  }

  read(event: JsonRecord): void {
    const args = objectAt(event, "args");
    const content = stringAt(args, "content") ?? "";
    if (event.observation !== undefined) this.#readObservation(event);
    else if (event.action === "system" && content !== "")
      this.segment.addInput({ role: "system", content }, timeOf(event));
    else if (event.action === "message" && event.source === "user" && content !== "")
      this.segment.addInput({ role: "user", content }, timeOf(event));
    else if (event.source === "agent") this.#readAction(event, args ?? {});
  }

  #readAction(event: JsonRecord, args: JsonRecord): void {
    const action = stringAt(event, "action") ?? "";
    if (action === "message") {
      const text = stringAt(args, "content") ?? "";
      addChatResponse(
        text === "" ? [] : [{ kind: "text", text }],
        makeMeta({ time: timeOf(event) }),
        this.segment,
      );
    } else if (!hostActions.has(action)) this.#readCall(event, action, args);
  }

  #readCall(event: JsonRecord, action: string, args: JsonRecord): void {
    const metadata = objectAt(event, "tool_call_metadata");
    const response = objectAt(metadata, "model_response");
    const id = stringAt(metadata, "tool_call_id") ?? `event-${event.id}`;
    const number = numberAt(event, "id");
    if (number !== undefined) this.#calls.set(number, id);
    const call: ChatBlock = {
      kind: "call",
      id,
      name: stringAt(metadata, "function_name") ?? action,
      arguments: argumentsOf(id, response) ?? writeJson(pickArguments(args)),
    };
    const responseId = stringAt(response, "id");
    const step = responseId === undefined ? undefined : this.#responses.get(responseId);
    if (step) {
      this.segment.addCall(step, call, call);
      return;
    }
    const thought = stringAt(args, "thought") ?? "";
    const meta = makeMeta({
      time: timeOf(event),
      model: stringAt(response, "model"),
      usage: readChatUsage(objectAt(response, "usage")),
    });
    addChatResponse(thought === "" ? [call] : [{ kind: "text", text: thought }, call], meta, this.segment);
    const opened = this.segment.steps.at(-1);
    if (responseId !== undefined && opened) this.#responses.set(responseId, opened);
  }

  /** An observation that answers no action (a change of state, a recall) was not shown to the model as a result. */
  #readObservation(event: JsonRecord): void {
    const cause = numberAt(event, "cause");
    const callId =
      stringAt(objectAt(event, "tool_call_metadata"), "tool_call_id") ??
      (cause === undefined ? undefined : this.#calls.get(cause));
    if (callId === undefined) return;
    this.segment.addResult(callId, stringAt(event, "content") ?? "", timeOf(event), this.#issues);
  }
}

/** Actions that the host makes by itself. */
const hostActions = new Set([
  "change_agent_state",
  "recall",
  "null",
  "pause",
  "resume",
  "start",
  "condensation",
]);

/** The arguments as the model wrote them, if the response was recorded. */
function argumentsOf(callId: string, response: JsonRecord | undefined): string | undefined {
  for (const choice of listAt(response, "choices").filter(isRecord)) {
    const calls = listAt(objectAt(choice, "message"), "tool_calls").filter(isRecord);
    const args = stringAt(
      objectAt(
        calls.find(({ id }) => id === callId),
        "function",
      ),
      "arguments",
    );
    if (args !== undefined) return args;
  }
  return undefined;
}

function pickArguments(args: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !notArguments.has(name)));
}
