import { toUsage } from "../../formats/usage.ts";
import { nameInNamespace } from "../../tool-kinds/name-in-namespace.ts";
import type { Picked, Wanted } from "./json-picker.ts";
import { type AnswerKind, type Notes, wantWithin } from "./notes.ts";

/**
 * `response.completed`, `response.incomplete` and `response.failed` contain the whole response; so does an answer
 * in one piece.
 */
export const responsesAnswer: AnswerKind = {
  wanted: (notes) => {
    const response = wantResponse(notes);
    return {
      ...wantWithin("response", response),
      ...response,
      // `response.output_item.done`: Codex's own endpoint leaves the items out of the response.
      item: (item) => noteCall(item, notes),
    };
  },
  usage: (figure) => {
    const cacheRead = figure("cached_tokens");
    const cacheWrite = figure("cache_write_tokens");
    return toUsage({
      input: figure("input_tokens") - cacheRead - cacheWrite,
      cacheRead,
      cacheWrite,
      output: figure("output_tokens"),
    });
  },
};

function wantResponse(notes: Notes): Wanted {
  return {
    "": (picked) => {
      notes.model(picked.get("model"));
      const status = picked.get("status");
      if (status === "completed" || status === "incomplete") notes.finish(status);
      if (status === "failed" || status === "cancelled" || picked.get("type") === "error") notes.fail();
    },
    incomplete_details: (details) => notes.finish(details.get("reason")),
    output: (item) => noteCall(item, notes),
    usage: (usage) => notes.count(usage),
    "usage.input_tokens_details": (details) => notes.count(details),
    error: () => notes.fail(),
  };
}

/** A call that the provider runs itself has no `call_id`. */
function noteCall(item: Picked, notes: Notes): void {
  if (!String(item.get("type")).endsWith("_call")) return;
  notes.call(item.get("call_id"));
  const name = item.get("name");
  if (typeof name === "string") notes.tool(nameInNamespace(item.get("namespace"), name));
}
