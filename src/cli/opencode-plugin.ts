import { applyEdits, createScanner, findNodeAtLocation, parseTree } from "jsonc-parser";
import type { Result } from "../basics/issue.ts";
import { isRecord } from "../basics/json.ts";
import { readJsonc } from "../config/jsonc.ts";
import { editJsonc } from "./edit-jsonc.ts";

/** The text of a new `opencode.json`. */
const EMPTY = '{\n  "$schema": "https://opencode.ai/config.json"\n}\n';

/**
 * Adds the plugin to the text of an `opencode.json`, if it is not there already. Comments and everything else stay.
 */
export function addPlugin(text: string | undefined, plugin: string): Result<string> {
  const before = text === undefined || text.trim() === "" ? EMPTY : text;
  const plugins = readPlugins(before);
  if (!plugins.ok) return plugins;
  if (plugins.value.some(isCoppice)) return { ok: true, value: before };
  const isNew = plugins.value.length === 0 && !hasList(before);
  const [path, value] = isNew ? [["plugin"], [plugin]] : [["plugin", plugins.value.length], plugin];
  return { ok: true, value: editJsonc(before, path, value) };
}

/** Removes the plugin from the text, and the list of plugins too if it would be empty. */
export function removePlugin(text: string): Result<string> {
  const plugins = readPlugins(text);
  if (!plugins.ok) return plugins;
  const others = plugins.value.filter((entry) => !isCoppice(entry));
  if (others.length === plugins.value.length) return { ok: true, value: text };
  if (others.length === 0) return { ok: true, value: editJsonc(text, ["plugin"], undefined) };
  const last = plugins.value.findLastIndex(isCoppice);
  return removePlugin(removeEntry(text, last));
}

/** The entry that loads Coppice, unchanged. */
export function findPlugin(text: string): string | undefined {
  const plugins = readPlugins(text);
  const entry = plugins.ok ? plugins.value.find(isCoppice) : undefined;
  return entry === undefined ? undefined : nameOf(entry);
}

function readPlugins(text: string): Result<readonly unknown[]> {
  const { value, mistake } = readJsonc(text);
  if (mistake) return refuse(`line ${mistake.line}: ${mistake.what}; fix it first`);
  if (!isRecord(value)) return refuse("it is not an object");
  const { plugin = [] } = value;
  return Array.isArray(plugin) ? { ok: true, value: plugin } : refuse('"plugin" must be an array');
}

function hasList(text: string): boolean {
  const { value } = readJsonc(text);
  return isRecord(value) && Array.isArray(value.plugin);
}

/** `"coppice@0.1.0"`, `["file:///…/coppice", { … }]` */
function isCoppice(entry: unknown): boolean {
  return /(?:^|[/\\])coppice(?:@[^/\\]*)?(?:[/\\]dist[/\\]server\.js)?[/\\]?$/.test(nameOf(entry));
}

function nameOf(entry: unknown): string {
  return String(Array.isArray(entry) ? entry[0] : entry);
}

/**
 * Removes an entry and one comma from the list of plugins, and keeps the comments. (`modify` of jsonc-parser 3.3.1
 * breaks a one-line list when its last entry is removed.)
 */
function removeEntry(text: string, index: number): string {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const body = text.slice(mark.length);
  const tree = parseTree(body, [], { allowTrailingComma: true });
  const list = tree && findNodeAtLocation(tree, ["plugin"])?.children;
  const entry = list?.[index];
  if (!list || !entry) return text;
  const end = entry.offset + entry.length;
  const before = list[index - 1];
  const comma = before
    ? findComma(body, before.offset + before.length, entry.offset)
    : findComma(body, end, list[index + 1]?.offset ?? end);
  const start = body.slice(0, entry.offset).trimEnd().length;
  const edits = [{ offset: start, length: end - start, content: "" }];
  if (comma !== undefined) edits.push({ offset: comma, length: 1, content: "" });
  return mark + applyEdits(body, edits);
}

/** The position of a comma that is not in a comment. */
function findComma(text: string, from: number, to: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  for (let token = scanner.scan(); scanner.getTokenOffset() < to && token !== END; token = scanner.scan())
    if (token === COMMA) return scanner.getTokenOffset();
  return undefined;
}

/** `SyntaxKind` of jsonc-parser, a const enum. */
const COMMA = 5;
const END = 17;

function refuse(why: string): Result<never> {
  return {
    ok: false,
    issue: { code: "config-unreadable", severity: "error", message: `nothing was changed: ${why}` },
  };
}
