import { formatByName } from "../../src/entries/host.ts";

export const NOTE = "<system-reminder>\nContext: 62% of 200,000 tokens used (moderate).\n</system-reminder>";

/** Adds a note at the end of every request. */
export default {
  id: "coppice-note",
  server: async (): Promise<object> => ({
    "experimental.chat.messages.transform": async (_: unknown, output: { messages: unknown[] }) => {
      const placed = formatByName("opencode").placeNote(output.messages, NOTE);
      output.messages.splice(0, output.messages.length, ...placed.messages);
    },
  }),
};
