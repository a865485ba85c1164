import { writeLongRef } from "../../agent/long-ref.ts";
import { describePart } from "../../agent/subject.ts";
import type { AgentTool } from "../../answers/agent-tools.ts";
import { refsIn } from "../../answers/count-known.ts";
import type { KnownConversation } from "../../fold/known-conversations.ts";
import type { Pruner } from "../../pruner.ts";
import { findCallers, type OutsideCall } from "./find-caller.ts";

/** What is to be said of some conversations instead of an answer. */
export type Objection = (root: string) => string | undefined;

const NOT_SEEN =
  "Coppice has not seen this conversation since it was started, or this conversation does not have its tools: nothing changed. Call again in the next step.";

/**
 * What one of our tools answers where the client does not run it inside a conversation. Where several may be meant, nothing is
 * done, and the answer says how to call again.
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
  // The same text, whichever is meant.
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
    refsIn(input).length > 0 ? "with the longer refs of yours" : "with passages that stand only in yours";
  return [
    `Nothing changed: ${conversations.length} conversations know this, and it can't be told which one is yours. Call again ${how}:`,
    ...lines,
  ].join("\n");
}

/** The newest thing that a person said tells conversations apart. */
function describeConversation({ root, view: { facts } }: KnownConversation): string {
  const { transcript } = facts;
  const userPart = transcript.parts.findLastIndex(
    (part) => part.kind === "text" && part.role === "user" && !part.leaves[0]?.text.startsWith("<"),
  );
  const about = userPart < 0 ? "" : `, with the ${describePart(facts, userPart)}`;
  return `the conversation ${root.slice(0, SHORTEST_ROOT)}${about}`;
}

const SHORTEST_ROOT = 4;

/** As many characters as it takes to tell them apart. */
function distinctLength(roots: readonly string[]): number {
  let length = SHORTEST_ROOT;
  while (length < MOST && new Set(roots.map((root) => root.slice(0, length))).size < roots.length) length++;
  return length;
}

/** Characters of a root. */
const MOST = 16;
