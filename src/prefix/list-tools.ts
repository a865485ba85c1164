import { isRecord, type JsonRecord } from "../basics/json.ts";
import { writeJson } from "../basics/write-json.ts";
import { nameInNamespace } from "../tool-kinds/name-in-namespace.ts";
import { ownerOf } from "./owner-of.ts";
import type { PrefixPiece } from "./piece.ts";

/** A piece for each tool of a list, in the format of any interface. A tool without a name is called by its type. */
export function listTools(tools: unknown, servers: readonly string[]): readonly PrefixPiece[] {
  if (!Array.isArray(tools)) return [];
  return tools.filter(isRecord).flatMap((tool) => {
    const declared = tool.functionDeclarations ?? tool.function_declarations;
    if (Array.isArray(declared)) return listTools(declared, servers);
    if (tool.type !== "namespace") return splitTool(tool, nameTool(tool), servers);
    const inner = Array.isArray(tool.tools) ? tool.tools.filter(isRecord) : [];
    return inner.flatMap((each) => splitTool(each, nameInNamespace(tool.name, nameTool(each)), servers));
  });
}

function nameTool(tool: JsonRecord): string {
  const own = isRecord(tool.function) ? tool.function.name : tool.name;
  if (typeof own === "string" && own !== "") return own;
  if (typeof tool.type === "string") return tool.type;
  // Gemini: { googleSearch: {} }
  return Object.keys(tool)[0] ?? "unnamed";
}

function splitTool(tool: JsonRecord, name: string, servers: readonly string[]): readonly PrefixPiece[] {
  const { cache_control: _mark, defer_loading: deferred, ...definition } = tool;
  const describe = (own: string): Omit<PrefixPiece, "text"> => {
    const server = ownerOf(own, servers);
    const group =
      deferred === true ? "deferred tools" : server === undefined ? "built-in tools" : "MCP servers";
    return {
      ...{ group, name: own, isTool: true },
      ...(server !== undefined && { server }),
      ...(deferred === true && { isHidden: true }),
    };
  };
  const nested = splitNested(definition.description);
  if (!nested) return [{ ...describe(name), text: writeJson(definition) }];
  return [
    { ...describe(name), text: writeJson({ ...definition, description: nested.own }) },
    ...nested.tools.map(({ name: inner, text }) => ({ ...describe(inner), within: name, text })),
  ];
}

const NESTED = /^### `([\w.-]+)`$/;

/**
 * The tools that a tool's description declares, as in Codex's `exec`.
 *
 *   ### `apply_patch` …  declare const tools: { apply_patch(input: string): … }
 */
function splitNested(
  description: unknown,
): { readonly own: string; readonly tools: readonly { name: string; text: string }[] } | undefined {
  if (typeof description !== "string" || !description.includes("declare const tools:")) return undefined;
  const own: string[] = [];
  const tools: { readonly name: string; readonly lines: string[] }[] = [];
  for (const line of description.split("\n")) {
    const name = NESTED.exec(line)?.[1];
    if (name !== undefined) tools.push({ name, lines: [line] });
    else (tools.at(-1)?.lines ?? own).push(line);
  }
  if (tools.length === 0) return undefined;
  return {
    own: own.join("\n"),
    // The text as it is in the request: in JSON.
    tools: tools.map(({ name, lines }) => ({ name, text: writeJson(lines.join("\n")).slice(1, -1) })),
  };
}
