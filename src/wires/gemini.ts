import { isRecord, type JsonRecord } from "../basics/json.ts";
import { geminiAnswer } from "./answers/gemini-answer.ts";
import { openAnswer } from "./answers/open-answer.ts";
import { isPostTo, readPathname } from "./paths.ts";
import { countPrefix, hasToolsIn, parseBody, stringIn, toolNamesIn } from "./read-body.ts";
import type { Wire, WireRequest } from "./wire.ts";
import { writeMessages } from "./write-messages.ts";

const STREAM = ":streamGenerateContent";

/**
 * Gemini's generateContent, as in the Gemini API, Vertex AI and Code Assist. Its messages are the `contents`. Code
 * Assist wraps the request: `{ model, project, request: { contents, … } }`.
 */
export const geminiWire: Wire = {
  name: "gemini",
  match: (method, path) => isPostTo(method, path, ":generateContent") || isPostTo(method, path, STREAM),
  read: readGemini,
  write: writeMessages,
  openAnswer: () => openAnswer(geminiAnswer),
};

function readGemini(text: string, path: string): WireRequest | undefined {
  const body = parseBody(text);
  const found = body && findContents(body);
  if (!found) return undefined;
  const { request, contents, within } = found;
  const system = request.systemInstruction ?? request.system_instruction;
  return {
    body: text,
    format: "gemini",
    messages: contents,
    place: { path: [...within, "contents"], kind: "list" },
    model: readModel(path) ?? stringIn(body, "model"),
    prefixTokens: countPrefix(system, request.tools),
    caching: {},
    isStream: readPathname(path).endsWith(STREAM),
    hasTools: hasToolsIn(request, ["tools"]),
    isCompaction: false,
    toolNames: toolNamesIn(request.tools),
    historyOnServer: undefined,
    cacheKey: stringIn(request, "session_id"),
  };
}

interface Found {
  readonly request: JsonRecord;
  readonly contents: readonly unknown[];
  readonly within: readonly string[];
}

function findContents(body: JsonRecord): Found | undefined {
  if (Array.isArray(body.contents)) return { request: body, contents: body.contents, within: [] };
  const { request } = body;
  if (!isRecord(request) || !Array.isArray(request.contents)) return undefined;
  return { request, contents: request.contents, within: ["request"] };
}

/** `/v1beta/models/gemini-2.5-pro:generateContent` names it; `/v1internal:generateContent` does not. */
function readModel(path: string): string | undefined {
  const name = readPathname(path);
  const from = name.lastIndexOf("/") + 1;
  const model = name.slice(from, name.lastIndexOf(":"));
  return name.lastIndexOf("/models/") + "/models/".length === from && model !== "" ? model : undefined;
}
