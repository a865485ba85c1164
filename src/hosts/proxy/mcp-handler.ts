import { createMcpHandler, type McpHttpHandler, Server, type Tool } from "@modelcontextprotocol/server";
import { toMcpTool } from "../../agent/provider-tools.ts";
import { SYSTEM_TEXT } from "../../agent/system-text.ts";
import { isRecord } from "../../basics/json.ts";
import { VERSION } from "../../basics/version.ts";
import type { Conversations } from "../conversation/conversations.ts";
import type { OutsideCall } from "../conversation/find-caller.ts";

/** Every exchange gets a server of its own, and none is kept: whichever replica is asked can answer. */
export function openHandler(conversations: Conversations): McpHttpHandler {
  const tools = conversations.tools.map(
    (tool): Tool => ({
      ...(toMcpTool(tool) as Pick<Tool, "name" | "description" | "inputSchema">),
      annotations: {
        readOnlyHint: tool.name !== "context_prune",
        // Whatever it cuts can be had again.
        destructiveHint: false,
        openWorldHint: false,
      },
      // Claude Code would show only their names, and the agent would have to look them up.
      _meta: { "anthropic/alwaysLoad": true },
    }),
  );
  const serve = (): Server => {
    const server = new Server(
      { name: "coppice", version: VERSION },
      { capabilities: { tools: {} }, ...(tools.length > 0 && { instructions: SYSTEM_TEXT }) },
    );
    server.setRequestHandler("tools/list", () => ({ tools }));
    server.setRequestHandler("tools/call", ({ params }) => {
      const call = { tool: params.name, input: params.arguments ?? {}, ...readHints(params._meta) };
      return { content: [{ type: "text", text: conversations.answerOutside(call) }] };
    });
    return server;
  };
  return createMcpHandler(serve);
}

/**
 * What clients say of the conversation: Claude Code gives the id of the call, Codex that and the thread's, which is also
 * in a header of its requests. The others say nothing.
 */
function readHints(meta: unknown): Pick<OutsideCall, "callId" | "session"> {
  const fields = isRecord(meta) ? meta : {};
  const callId = fields["claudecode/toolUseId"] ?? fields.callId;
  const session = fields.threadId ?? fields.thread_id;
  return {
    ...(typeof callId === "string" && { callId }),
    ...(typeof session === "string" && { session }),
  };
}
