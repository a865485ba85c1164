import type { Issue } from "../../src/basics/issue.ts";
import { formatByName } from "../../src/formats/detect.ts";
import type { Received } from "./provider.ts";

/** Why a real provider would answer 400, or `undefined`. */
export function findRefusal(request: Received): string | undefined {
  const issues = listIssues(request).filter(({ severity }) => severity === "error");
  if (issues.length > 0) return issues.map(({ code, message }) => `${code}: ${message}`).join("; ");
  return request.dialect === "anthropic" ? findMarkProblem(request.raw) : undefined;
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

/** At most four marks, and none for an hour behind one for five minutes. */
function findMarkProblem(raw: string): string | undefined {
  const marks = [...raw.matchAll(/"cache_control":(\{[^}]*\})/g)].map(([, mark = ""]) =>
    mark.includes('"1h"'),
  );
  if (marks.length > 4) return "A maximum of 4 blocks with cache_control may be provided.";
  const short = marks.indexOf(false);
  if (short >= 0 && marks.includes(true, short))
    return "a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block.";
  return undefined;
}
