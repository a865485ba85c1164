import { writeLongRef } from "../../agent/long-ref.ts";
import { describePart } from "../../agent/subject.ts";
import type { AgentTool } from "../../answers/agent-tools.ts";
import { refsIn } from "../../answers/count-known.ts";
import type { KnownConversation } from "../../fold/known-conversations.ts";
import type { Pruner } from "../../pruner.ts";
import { findCallers, type OutsideCall } from "./find-caller.ts";

/** The text to answer with instead, for conversations in which our tools can't be used. */
export type Objection = (root: string) => string | undefined;

const NOT_SEEN =
  "Coppice has not seen this conversation since it started, or this conversation does not have its tools: nothing changed. Call again in the next step.";

/**
 * Answers a call of our tools that the client runs outside of a conversation. If several conversations match, it
 * changes nothing, and the answer says how to call again.
 */
export function answerOutside(tool: AgentTool, call: OutsideCall, pruner: Pruner, object: Objection): string {
  const { conversations, isSure } = findCallers(call, pruner);
  const [first, ...others] = conversations;
  if (!first) return NOT_SEEN;
  const answerIn = ({ root, view }: KnownConversation): string =>
    object(root) ?? tool.answer(call.input, view);
  if (others.length === 0) {
    const answer = answerIn(first);
    return isSure ? answer : `Of ${describeConversation(first)}:\n${answer}`;
  }
  const answers = new Set(tool.name === "context_recall" ? conversations.map(answerIn) : []);
  const [only] = answers;
  // All conversations give the same answer.
  return answers.size === 1 && only !== undefined ? only : askForRoot(call, conversations);
}

function askForRoot({ input }: OutsideCall, conversations: readonly KnownConversation[]): string {
  const length = distinctLength(conversations.map(({ root }) => root));
  const lines = conversations.map((conversation) => {
    const { root, view } = conversation;
    const refs = refsIn(input).filter(({ ref }) => view.facts.refs.placeOf(ref) !== undefined);
    const named = refs.map(({ ref }) => {
      const place = view.facts.refs.placeOf(ref);
      const index = place && view.facts.transcript.find(place.part);
      const about = index === undefined ? "" : ` (${describePart(view.facts, index)})`;
      return `${writeLongRef(ref, root.slice(0, length))}${about}`;
    });
    return `- ${[...named, `in ${describeConversation(conversation)}`].join(", ")}`;
  });
  const how =
    refsIn(input).length > 0 ? "with your longer refs" : "with passages that only your conversation contains";
  return [
    `Nothing changed: ${conversations.length} conversations match, and Coppice can't tell which one is yours. Call again ${how}:`,
    ...lines,
  ].join("\n");
}

/** The person's newest message tells conversations apart. */
function describeConversation({ root, view: { facts } }: KnownConversation): string {
  const { transcript } = facts;
  const userPart = transcript.parts.findLastIndex(
    (part) => part.kind === "text" && part.role === "user" && !part.leaves[0]?.text.startsWith("<"),
  );
  const about = userPart < 0 ? "" : `, with the ${describePart(facts, userPart)}`;
  return `the conversation ${root.slice(0, SHORTEST_ROOT)}${about}`;
}

const SHORTEST_ROOT = 4;

/** The fewest characters that tell them apart. */
function distinctLength(roots: readonly string[]): number {
  let length = SHORTEST_ROOT;
  while (length < MOST && new Set(roots.map((root) => root.slice(0, length))).size < roots.length) length++;
  return length;
}

/** Characters of a root. */
const MOST = 16;
