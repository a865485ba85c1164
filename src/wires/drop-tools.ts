import { isRecord, type JsonRecord } from "../basics/json.ts";
import { applySplices, type Splice } from "../basics/splices.ts";
import { nameInNamespace } from "../tool-kinds/name-in-namespace.ts";
import { parseBody, stringIn } from "./read-body.ts";
import { spliceValue } from "./splice/splice-value.ts";
import { findValue } from "./write-messages.ts";

/**
 * Names of the tools that a request does not need: the client's tools, except those that `tool_choice` names, those
 * with a cache mark, and those that one of the provider's own tools needs (deferred tools, tools that its code may
 * call).
 */
export function listDroppable(body: string): readonly string[] {
  const request = parseBody(body);
  if (!request) return [];
  const needed = listChosen(request);
  return listFields(request)
    .flatMap(({ value }) => listNamed(value))
    .filter(({ name, tool }) => isOwn(tool) && !needed.has(name))
    .map(({ name }) => name);
}

/**
 * The body without these tools; everything else stays byte for byte. Returns the same text if it has none of them,
 * or no others.
 */
export function dropTools(body: string, names: ReadonlySet<string>): string {
  const request = parseBody(body);
  if (!request) return body;
  const fields = listFields(request);
  const left = fields.map(({ value }) => without(value, "", names));
  if (left.every((value) => listNamed(value).length === 0)) return body;
  try {
    const splices = fields.flatMap(({ path, value }, i): readonly Splice[] => {
      const from = left[i] === value ? undefined : findValue(body, path);
      return from === undefined ? [] : spliceValue(body, from, value, left[i]);
    });
    return splices.length === 0 ? body : applySplices(body, splices);
  } catch {
    // The body has an unusual form, and is sent unchanged.
    return body;
  }
}

interface Field {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** The places of tools: in a separate list, or (Codex) in an item of the input. */
function listFields(request: JsonRecord): readonly Field[] {
  const wrapped = isRecord(request.request) ? request.request : {};
  return [
    { path: ["tools"], value: request.tools },
    { path: ["functions"], value: request.functions },
    { path: ["request", "tools"], value: wrapped.tools },
    ...(hasToolItem(request.input) ? [{ path: ["input"], value: request.input }] : []),
  ].filter(({ value }) => Array.isArray(value));
}

function hasToolItem(input: unknown): boolean {
  return Array.isArray(input) && input.some((item) => isRecord(item) && item.type === "additional_tools");
}

interface Named {
  readonly name: string;
  readonly tool: JsonRecord;
}

/** Lists of tools inside a list of tools. */
const LISTS = ["tools", "functionDeclarations", "function_declarations"];

function listNamed(list: unknown, space: unknown = ""): readonly Named[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isRecord).flatMap((tool) => {
    const inside = LISTS.find((field) => Array.isArray(tool[field]));
    if (inside !== undefined) return listNamed(tool[inside], spaceOf(tool));
    const name = nameOf(tool, space);
    return name === undefined ? [] : [{ name, tool }];
  });
}

/** A list without these tools: the very same if nothing is left out. Lists that would be empty are removed. */
function without(list: unknown, space: unknown, names: ReadonlySet<string>): unknown {
  if (!Array.isArray(list)) return list;
  const left = list.flatMap((tool: unknown) => {
    if (!isRecord(tool)) return [tool];
    const inside = LISTS.find((field) => Array.isArray(tool[field]));
    if (inside === undefined) {
      const name = nameOf(tool, space);
      return name !== undefined && names.has(name) ? [] : [tool];
    }
    const inner = without(tool[inside], spaceOf(tool), names);
    if (inner === tool[inside]) return [tool];
    return Array.isArray(inner) && inner.length === 0 ? [] : [{ ...tool, [inside]: inner }];
  });
  return left.length === list.length && left.every((tool, i) => tool === list[i]) ? list : left;
}

function spaceOf(tool: JsonRecord): unknown {
  return tool.type === "namespace" ? tool.name : "";
}

function nameOf(tool: JsonRecord, space: unknown): string | undefined {
  // Items of an input that are not tools have a role or a call.
  if (tool.role !== undefined || tool.call_id !== undefined) return undefined;
  const name = stringIn(tool, "name") ?? stringIn(tool.function, "name");
  return name === undefined ? undefined : nameInNamespace(space, name);
}

const OWN_TYPES: ReadonlySet<unknown> = new Set([undefined, "custom", "function"]);

/** The client runs it, and only the model calls it. */
function isOwn({ type, cache_control, defer_loading, allowed_callers }: JsonRecord): boolean {
  return (
    OWN_TYPES.has(type) &&
    cache_control === undefined &&
    defer_loading !== true &&
    (!Array.isArray(allowed_callers) || allowed_callers.every((caller) => caller === "direct"))
  );
}

/** Names of the tools that the model must or may call. */
function listChosen(request: JsonRecord): ReadonlySet<string> {
  const inner = isRecord(request.request) ? request.request : request;
  const config = isRecord(inner.toolConfig) ? inner.toolConfig : {};
  const calling = isRecord(config.functionCallingConfig) ? config.functionCallingConfig : {};
  const names = new Set<string>();
  const open: unknown[] = [request.tool_choice, request.function_call, calling.allowedFunctionNames];
  for (let value = open.pop(); value !== undefined || open.length > 0; value = open.pop()) {
    if (typeof value === "string") names.add(value);
    else if (Array.isArray(value)) for (const each of value) open.push(each);
    else if (isRecord(value))
      open.push(value.name, value.function, value.custom, value.tools, value.allowed_tools);
  }
  return names;
}
