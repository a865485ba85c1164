export interface Tag {
  readonly type: "opening" | "closing";
  readonly name: string;
}

const TAG_START = /^<(\/?)([\p{L}_][\p{L}\p{N}_.:-]*)/u;

/**
 * The XML tag that is all of a trimmed line.
 *
 *   <file path="a > b" n='1'>     ->  opening file
 *   </ns:File2 >                  ->  closing ns:File2
 *   <br/>, <a>text</a>, <!-- -->  ->  undefined
 */
export function readTag(line: string): Tag | undefined {
  if (!line.startsWith("<") || !line.endsWith(">")) return undefined;
  const [start, slash, name] = TAG_START.exec(line) ?? [];
  if (start === undefined || name === undefined) return undefined;
  const rest = line.slice(start.length, -1);
  if (slash === "/") return rest.trim() === "" ? { type: "closing", name } : undefined;
  return isAttributes(rest) ? { type: "opening", name } : undefined;
}

/** Can this text be between a tag's name and its `>`? Quotes must be closed, and no other tag may begin or end. */
function isAttributes(rest: string): boolean {
  if (rest === "") return true;
  if (!/^\s/.test(rest) || rest.endsWith("/")) return false;
  let quote = "";
  for (const char of rest) {
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === "<" || char === ">") return false;
  }
  return quote === "";
}
