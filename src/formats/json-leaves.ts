import { type Node, parseTree } from "jsonc-parser";
import { isRecord } from "../json.ts";
import type { Leaf } from "../transcript/part.ts";

/** An input nested deeper (a cycle is), or with more values than this, has no leaves and stays as it is. */
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
  return collectInto(leaves, value, root, 0, { values: 0 }) ? leaves : [];
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

/** The value with these leaves changed. Only what lies on a changed path is copied; an unknown leaf changes nothing. */
export function replaceLeaves(value: unknown, root: string, texts: ReadonlyMap<string, string>): unknown {
  let next = value;
  for (const [id, text] of texts) {
    const path = readPath(id, root);
    if (path !== undefined) next = replaceAt(next, path, 0, text);
  }
  return next;
}

function replaceAt(value: unknown, path: readonly string[], depth: number, text: string): unknown {
  const key = path[depth];
  if (key === undefined) return typeof value === "string" ? text : value;
  if (Array.isArray(value)) {
    const index = Number(key);
    const old: unknown = value[index];
    const changed = replaceAt(old, path, depth + 1, text);
    return changed === old ? value : value.with(index, changed);
  }
  if (!isRecord(value) || !Object.hasOwn(value, key)) return value;
  const changed = replaceAt(value[key], path, depth + 1, text);
  return changed === value[key] ? value : { ...value, [key]: changed };
}

/**
 * The same in a JSON text. The bytes around a changed string stay as they were: whitespace, key order and
 * numbers that JavaScript can't hold survive.
 */
export function replaceLeavesInText(json: string, root: string, texts: ReadonlyMap<string, string>): string {
  const tree = parseTree(json);
  const changes: { readonly node: Node; readonly text: string }[] = [];
  for (const [id, text] of texts) {
    const path = readPath(id, root);
    const node = tree && path && findString(tree, path);
    if (node && node.value !== text) changes.push({ node, text });
  }
  changes.sort((a, b) => b.node.offset - a.node.offset);
  return changes.reduce(
    (all, { node, text }) =>
      all.slice(0, node.offset) + JSON.stringify(text) + all.slice(node.offset + node.length),
    json,
  );
}

function findString(tree: Node, path: readonly string[]): Node | undefined {
  let node: Node | undefined = tree;
  for (const key of path) {
    node =
      node?.type === "array"
        ? node.children?.[Number(key)]
        : // Of a repeated key the last value counts, as in JSON.parse.
          node?.children?.findLast((property) => property.children?.[0]?.value === key)?.children?.[1];
  }
  return node?.type === "string" ? node : undefined;
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
