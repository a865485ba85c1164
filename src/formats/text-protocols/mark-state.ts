import { trimEndOf } from "../../basics/trim-end.ts";
import { STATE_CLOSE, STATE_OPEN } from "../../tool-kinds/host-tags.ts";
import type { DecodedMessage } from "../../transcript/message.ts";
import type { Part } from "../../transcript/part.ts";

/**
 * Marks what Cline, Roo Code and their kin say of the editor at the end of every user message: nobody wrote it. It
 * counts only as they send it: a text block of its own, between their tags, behind another block. What a person says
 * stands in tags of its own there (`<task>`, `<feedback>`, `<user_message>`), and right behind the head of a result
 * stands its output.
 *
 *   "<task>…</task>" | "<environment_details>\n# VSCode Open Tabs\n…\n</environment_details>"   ->   the second is a state
 *
 * A message without such a block comes back itself.
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
