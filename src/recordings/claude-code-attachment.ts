import { isRecord, type JsonRecord } from "../basics/json.ts";
import { isString, listAt, objectAt, stringAt } from "./json.ts";
import type { AnthropicContent } from "./to-anthropic.ts";

/**
 * The text that an attachment showed the model, if it was recorded. The host's words around it are not recorded.
 * Listings that the host makes from its own state are left out.
 */
export function readAttachment(attachment: JsonRecord): AnthropicContent | undefined {
  switch (attachment.type) {
    case "queued_command":
      return stringAt(attachment, "prompt") ?? listAt(attachment, "prompt").filter(isRecord);
    case "file":
      return withPath(attachment, stringAt(objectAt(objectAt(attachment, "content"), "file"), "content"));
    case "edited_text_file":
      return withPath(attachment, stringAt(attachment, "snippet"));
    case "nested_memory":
      return withPath(attachment, stringAt(objectAt(attachment, "content"), "content"));
    case "hook_additional_context":
      return listAt(attachment, "content").filter(isString).join("\n");
    case "skill_listing":
      return stringAt(attachment, "content");
    default:
      return undefined;
  }
}

function withPath(attachment: JsonRecord, text: string | undefined): string | undefined {
  const path = stringAt(attachment, "filename") ?? stringAt(attachment, "path");
  return text === undefined ? undefined : `${path ?? "file"}\n${text}`;
}
