/**
 * Lists the literal texts that a sed script searches for. Line numbers contain no text.
 *
 *   12,14s/const total = 1;/x/     ->  const total = 1;
 *   /^import os$/a import sys      ->  import os
 *   s|total.*sum(lines)|x|g        ->  total, sum(lines)
 */
export function listSedTexts(script: string, isExtended: boolean): readonly string[] {
  return new SedReader(script).listPatterns().flatMap((pattern) => splitPattern(pattern, isExtended));
}

/** Reads a script command by command. Stops at the first unknown command, or one with text after it. */
class SedReader {
  readonly #script: string;
  readonly #patterns: string[] = [];
  #at = 0;

  constructor(script: string) {
    this.#script = script;
  }

  listPatterns(): readonly string[] {
    while (this.#at < this.#script.length && this.#readOne());
    return this.#patterns;
  }

  /** Reads an address, a command, or the characters between them. Returns `false` if the rest can't be read. */
  #readOne(): boolean {
    const char = this.#script[this.#at++] ?? "";
    if (char === "/") this.#patterns.push(this.#readTo("/"));
    else if (char === "s" || char === "y") {
      const end = this.#script[this.#at++] ?? "";
      if (!/^[^\sA-Za-z0-9\\]$/.test(end)) return false;
      const pattern = this.#readTo(end);
      if (char === "s") this.#patterns.push(pattern);
      this.#readTo(end);
      while (/^[gpiImMe0-9]$/.test(this.#script[this.#at] ?? "")) this.#at++;
    } else return /^[\s;{}0-9,$!+~dDpPnNgGhHxlq=]$/.test(char);
    return true;
  }

  /** Reads up to the mark, and skips it. `\/` and the inside of `[…]` do not end `/…/`. */
  #readTo(mark: string): string {
    const from = this.#at;
    let isList = false;
    for (; this.#at < this.#script.length; this.#at++) {
      const char = this.#script[this.#at];
      if (char === "\\") this.#at++;
      else if (char === "[" && !isList) isList = true;
      else if (char === "]") isList = false;
      else if (char === mark && !isList) break;
    }
    return this.#script.slice(from, this.#at++);
  }
}

/** A dot counts as a literal dot, because people rarely escape it. */
function splitPattern(pattern: string, isExtended: boolean): readonly string[] {
  const texts: string[] = [];
  let text = "";
  const close = () => {
    if (text !== "") texts.push(text);
    text = "";
  };
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? "";
    if (char === "[") {
      const end = pattern.indexOf("]", at + 2);
      at = end < 0 ? pattern.length : end;
      close();
    } else if (char === "\\") {
      const next = pattern[++at] ?? "";
      // `\(` is a group here, but a literal parenthesis in an extended pattern.
      if (isExtended ? /^[A-Za-z0-9]$/.test(next) : /^[A-Za-z0-9()|+?{}<>]$/.test(next)) close();
      else text += next;
    } else if (isExtended ? "*^$+?(){}|".includes(char) : "*^$".includes(char)) {
      if (char === "*" && text.endsWith(".")) text = text.slice(0, -1);
      close();
    } else text += char;
  }
  close();
  return texts;
}
