/** OpenCode's messages as the transform sees them: the fields that these tests read. */
export type HostMessage = {
  info: {
    id: string;
    sessionID: string;
    role: "user" | "assistant";
    model?: { providerID: string; modelID: string };
    modelID?: string;
    error?: { name: string };
    time: { created: number; completed?: number };
  };
  parts: HostPart[];
};

export type HostPart = {
  id: string;
  type: string;
  text?: string;
  synthetic?: boolean;
  ignored?: boolean;
  mime?: string;
  url?: string;
  tool?: string;
  callID?: string;
  state?: ToolState;
};

export type ToolState = {
  status: "pending" | "running" | "completed" | "error";
  input: unknown;
  output?: string;
  error?: string;
  metadata?: { interrupted?: boolean; output?: string };
  time?: { compacted?: number };
  attachments?: { mime: string; url: string }[];
};

/**
 * Plan mode and the switch back to build append a reminder to the newest user message at every step, with a fresh
 * id, in memory only. It is gone from that message as soon as a newer user message exists.
 */
export function isTransient(part: HostPart): boolean {
  return (
    part.type === "text" && part.synthetic === true && part.text?.startsWith("<system-reminder>") === true
  );
}

export function withoutTransient(messages: readonly HostMessage[]): HostMessage[] {
  return messages.map((message) => ({
    ...message,
    parts: message.parts.filter((part) => !isTransient(part)),
  }));
}
