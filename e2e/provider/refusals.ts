import type { Issue } from "../../src/basics/issue.ts";
import { formatByName } from "../../src/formats/detect.ts";
import { listBlocks, listMarks } from "./prompt-blocks.ts";
import type { Received } from "./provider.ts";

/** The reason why a real provider would answer 400, or `undefined`. */
export function findRefusal(request: Received): string | undefined {
  const issues = listIssues(request).filter(({ severity }) => severity === "error");
  if (issues.length > 0) return issues.map(({ code, message }) => `${code}: ${message}`).join("; ");
  return request.dialect === "anthropic" ? findMarkProblem(request.body) : undefined;
}

function listIssues({ dialect, messages, body }: Received): readonly Issue[] {
  switch (dialect) {
    case "anthropic":
      return formatByName("anthropic-messages").validate(messages, "signed");
    case "chat":
      return formatByName("openai-chat").validate(messages, "none");
    case "responses":
      return formatByName("openai-responses").validate(messages, "none");
    case "gemini":
      // Gemini CLI asks a small model how hard a prompt is, with the last few messages, wherever those begin.
      return body.tools === undefined ? [] : formatByName("gemini").validate(messages, "none");
  }
}

/** At most four marks, none for an hour after one for five minutes, and none where nothing can be cached. */
function findMarkProblem(body: Received["body"]): string | undefined {
  const marks = listMarks(body).map(({ ttl }) => ttl);
  if (marks.length > 4)
    return `A maximum of 4 blocks with cache_control may be provided. Found ${marks.length}.`;
  const short = marks.indexOf("5m");
  if (short >= 0 && marks.includes("1h", short))
    return "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.";
  const marked = listBlocks("anthropic", body).filter(({ mark }) => mark);
  if (marked.some(({ type }) => type === "thinking" || type === "redacted_thinking"))
    return "thinking: cache_control cannot be set for thinking blocks.";
  if (marked.some(({ isEmpty }) => isEmpty))
    return "text: cache_control cannot be set for empty text blocks.";
  return undefined;
}
