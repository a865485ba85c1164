import { formatByName } from "../../formats/detect.ts";
import type { FormatName } from "../../formats/format.ts";
import type { Usage } from "../../transcript/message.ts";

/** The usage of each response in the list. A response that occurs twice counts once. */
export function listUsages(messages: readonly unknown[], name: FormatName): readonly Usage[] {
  const format = formatByName(name);
  const usages = new Map<unknown, Usage>();
  for (const message of messages) {
    const { id, time, usage } = format.decode(message);
    if (usage) usages.set(id ?? time ?? message, usage);
  }
  return [...usages.values()];
}
