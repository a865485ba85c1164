import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { remember } from "../basics/remember.ts";
import type { Path } from "./settings.ts";

export interface Jsonc {
  /** If the text has mistakes: the readable part. An empty text gives an empty object. */
  readonly value: unknown;
  /** The first mistake; later ones mostly follow from it. */
  readonly mistake?: { readonly line: number; readonly what: string };
  /** The line, from 1, of the key at this path. */
  locate(path: Path): number | undefined;
}

/** JSON with comments, trailing commas and a byte order mark. Never throws. */
export function readJsonc(text: string): Jsonc {
  try {
    return parseJsonc(text);
  } catch (error) {
    // The parser is recursive: a deeply nested text overflows the stack.
    if (!(error instanceof RangeError)) throw error;
    return { value: {}, mistake: { line: 1, what: "nested too deeply" }, locate: () => undefined };
  }
}

function parseJsonc(text: string): Jsonc {
  const errors: ParseError[] = [];
  const options = { allowTrailingComma: true, allowEmptyContent: true };
  const tree = parseTree(text.replace(/^\uFEFF/, " "), errors, options);
  const lineAt = findLines(text);
  const [error] = errors;
  return {
    value: tree === undefined ? {} : getNodeValue(tree),
    ...(error && {
      mistake: { line: lineAt(error.offset), what: toWords(printParseErrorCode(error.error)) },
    }),
    locate(path) {
      const node = findNode(tree, path);
      return node && lineAt(node.parent?.type === "property" ? node.parent.offset : node.offset);
    },
  };
}

/** Returns the line, from 1, of an offset. Line breaks are searched once, because many offsets may follow. */
function findLines(text: string): (offset: number) => number {
  let starts: readonly number[] | undefined;
  return (offset) => {
    starts ??= [0, ...Array.from(text.matchAll(/\r\n|\r|\n/g), ({ 0: end, index }) => index + end.length)];
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

function findNode(tree: Node | undefined, path: Path): Node | undefined {
  return path.reduce<Node | undefined>((node, key) => {
    if (typeof key === "number") return node?.children?.[key];
    return node && membersOf(node).get(key);
  }, tree);
}

/** The members of an object by key. If a key occurs twice, the last one counts. */
const membersOf = remember(
  ({ children = [] }: Node): ReadonlyMap<unknown, Node | undefined> =>
    new Map(children.map((member) => [member.children?.[0]?.value, member.children?.[1]])),
);

/** `CommaExpected` -> `comma expected` */
function toWords(code: string): string {
  return code.replace(/(?<=[a-z])[A-Z]/g, " $&").toLowerCase();
}
