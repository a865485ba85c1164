import { type Node, parseTree } from "jsonc-parser";
import { isRecord } from "../basics/json.ts";
import type { Leaf } from "../transcript/part.ts";

/** An input nested deeper than this (such as a cycle), or with more values, has no leaves and stays unchanged. */
const MAX_DEPTH = 32;
const MAX_VALUES = 20_000;

/**
 * Every string in a JSON value, by its path.
 *
 *   { path: "a.ts", edits: [{ old: "x" }] }   ->   input/path "a.ts", input/edits/0/old "x"
 *   "ls"                                      ->   input "ls"
 *
 * `/` and `~` in keys are written `~1` and `~0`, as in a JSON pointer.
 */
export function collectLeaves(value: unknown, root: string): readonly Leaf[] {
  const leaves: Leaf[] = [];
  // The copy takes no more room than it needs.
  return collectInto(leaves, value, root, 0, { values: 0 }) ? leaves.slice() : [];
}

function collectInto(
  leaves: Leaf[],
  value: unknown,
  id: string,
  depth: number,
  seen: { values: number },
): boolean {
  if (typeof value === "string") {
    leaves.push({ id, text: value });
    return true;
  }
  if (Array.isArray(value)) {
    seen.values += value.length;
    if (depth === MAX_DEPTH || seen.values > MAX_VALUES) return false;
    for (let index = 0; index < value.length; index++) {
      if (!collectInto(leaves, value[index], `${id}/${index}`, depth + 1, seen)) return false;
    }
    return true;
  }
  if (!isRecord(value)) return true;
  const keys = Object.keys(value);
  seen.values += keys.length;
  if (depth === MAX_DEPTH || seen.values > MAX_VALUES) return false;
  for (const key of keys) {
    if (!collectInto(leaves, value[key], `${id}/${escapeKey(key)}`, depth + 1, seen)) return false;
  }
  return true;
}

/**
 * The value with these leaves changed. Only values on a changed path are copied; an unknown leaf changes nothing.
 */
export function replaceLeaves(value: unknown, root: string, texts: ReadonlyMap<string, string>): unknown {
  return replaceWithin(value, groupTexts(root, texts));
}

/** New texts as a tree: the new text of a value itself, and those of the values in it, by key. */
interface NewTexts {
  text?: string;
  readonly within: Map<string, NewTexts>;
}

function groupTexts(root: string, texts: ReadonlyMap<string, string>): NewTexts {
  const all: NewTexts = { within: new Map() };
  for (const [id, text] of texts) {
    let place = all;
    const path = readPath(id, root);
    if (path === undefined) continue;
    for (const key of path) {
      const inner = place.within.get(key) ?? { within: new Map() };
      place.within.set(key, inner);
      place = inner;
    }
    place.text = text;
  }
  return all;
}

function replaceWithin(value: unknown, { text, within }: NewTexts): unknown {
  if (typeof value === "string") return text ?? value;
  if (!Array.isArray(value) && !isRecord(value)) return value;
  let copy: unknown[] | object | undefined;
  for (const [key, texts] of within) {
    if (!Object.hasOwn(value, key)) continue;
    const old: unknown = Reflect.get(value, key);
    const changed = replaceWithin(old, texts);
    if (changed === old) continue;
    copy ??= Array.isArray(value) ? [...value] : { ...value };
    // A key may be any string, including `__proto__`.
    Object.defineProperty(copy, key, { value: changed, ...PLAIN });
  }
  return copy ?? value;
}

const PLAIN = { writable: true, enumerable: true, configurable: true } as const;

/**
 * `replaceLeaves` for a JSON text. The bytes around a changed string stay the same: whitespace, key order and
 * numbers that JavaScript can't represent survive.
 */
export function replaceLeavesInText(json: string, root: string, texts: ReadonlyMap<string, string>): string {
  const tree = parseTree(json);
  const changes: Change[] = [];
  if (tree) listChanges(tree, groupTexts(root, texts), changes);
  changes.sort((a, b) => a.node.offset - b.node.offset);
  let changed = "";
  let at = 0;
  for (const { node, text } of changes) {
    changed += json.slice(at, node.offset) + JSON.stringify(text);
    at = node.offset + node.length;
  }
  return changed + json.slice(at);
}

interface Change {
  readonly node: Node;
  readonly text: string;
}

function listChanges(node: Node, { text, within }: NewTexts, changes: Change[]): void {
  if (node.type === "string" && text !== undefined && node.value !== text) changes.push({ node, text });
  if (within.size === 0) return;
  for (const [key, inner] of node.type === "array" ? listItems(node) : listFields(node)) {
    const texts = within.get(key);
    if (texts) listChanges(inner, texts, changes);
  }
}

function listItems({ children = [] }: Node): Iterable<[string, Node]> {
  return children.map((item, index) => [String(index), item]);
}

/** If a key is repeated, the last value counts, as in JSON.parse. */
function listFields({ children = [] }: Node): Iterable<[string, Node]> {
  const fields = new Map<string, Node>();
  for (const { children: [key, value] = [] } of children)
    if (key && value) fields.set(String(key.value), value);
  return fields;
}

function readPath(id: string, root: string): readonly string[] | undefined {
  if (id === root) return [];
  if (!id.startsWith(`${root}/`)) return undefined;
  return id
    .slice(root.length + 1)
    .split("/")
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function escapeKey(key: string): string {
  return key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}
