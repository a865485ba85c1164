import { type SessionChange, serialiseCommand } from "../../transcript/session-command.ts";

/**
 * The parts of the message that OpenCode stores and then sends to the model. The person sees the first. The model
 * gets only the second, and answers it, because OpenCode can't skip the model.
 */
export function makeParts(name: string, shown: string, change?: SessionChange): readonly object[] {
  return [
    { type: "text", text: shown, ignored: true, metadata: serialiseCommand(change ?? { action: "look" }) },
    {
      type: "text",
      text: `[The user ran /${name}, a command for the host. Its output was shown to them. Reply with just: ok]`,
      synthetic: true,
    },
  ];
}
