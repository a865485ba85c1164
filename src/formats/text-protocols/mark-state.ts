import { trimEndOf } from "../../basics/trim-end.ts";
import { STATE_CLOSE, STATE_OPEN } from "../../tool-kinds/host-tags.ts";
import type { DecodedMessage } from "../../transcript/message.ts";
import type { Part } from "../../transcript/part.ts";

/**
 * Marks the report on the editor that Cline, Roo Code and similar agents add to every user message. No person wrote
 * it. It must have the form that these agents send: a separate text block, between their tags, after another block. A
 * person's text is in other tags there (`<task>`, `<feedback>`, `<user_message>`). A block directly after the head of
 * a result is its output.
 *
 *   "<task>…</task>" | "<environment_details>\n# VSCode Open Tabs\n…\n</environment_details>"   ->   the second is a state
 *
 * Returns a message without such a block unchanged.
 */
export function markState(message: DecodedMessage): DecodedMessage {
  const { role, parts } = message;
  if (role !== "user" || !parts.some(isState)) return message;
  const marked = parts.map((part, i) => {
    const before = parts[i - 1];
    return before && isState(part) && !isHead(before) ? toState(part) : part;
  });
  return { ...message, parts: marked };
}

function isHead({ leaves }: Part): boolean {
  return leaves.some(({ text }) => trimEndOf(text, " \n").endsWith("] Result:"));
}

function toState(part: Part): Part {
  return part.kind === "text" ? { ...part, synthetic: true, state: true } : part;
}

function isState(part: Part): boolean {
  const [leaf, ...others] = part.leaves;
  if (part.kind !== "text" || part.signed || !leaf || others.length > 0) return false;
  const text = leaf.text.trim();
  return (
    text.startsWith(`${STATE_OPEN}\n# `) &&
    text.indexOf(STATE_CLOSE) === text.length - STATE_CLOSE.length &&
    text.lastIndexOf(STATE_OPEN) === 0
  );
}
