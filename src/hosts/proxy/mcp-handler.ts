import { createMcpHandler, type McpHttpHandler, Server, type Tool } from "@modelcontextprotocol/server";
import { toMcpTool } from "../../agent/provider-tools.ts";
import { SYSTEM_TEXT } from "../../agent/system-text.ts";
import { isRecord } from "../../basics/json.ts";
import { VERSION } from "../../basics/version.ts";
import type { Conversations } from "../conversation/conversations.ts";
import type { OutsideCall } from "../conversation/find-caller.ts";

/** Creates a new server for every exchange and keeps none, so that any replica can answer. */
export function openHandler(conversations: Conversations): McpHttpHandler {
  const tools = conversations.tools.map(
    (tool): Tool => ({
      ...(toMcpTool(tool) as Pick<Tool, "name" | "description" | "inputSchema">),
      annotations: {
        readOnlyHint: tool.name !== "context_prune",
        // Every cut can be undone.
        destructiveHint: false,
        openWorldHint: false,
      },
      // Without this, Claude Code shows only the names, and the agent has to look the tools up.
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
 * Ids that clients send with a call. Claude Code sends the call's id; Codex sends that and the thread's id, which
 * is also in a header of its requests. Others send none.
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
