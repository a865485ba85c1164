const RETURN = "\r".charCodeAt(0);

/**
 * The spans of the lines of a text, without their line breaks. A break at the end of the text starts no further
 * line.
 */
export class LineSpans {
  readonly text: string;
  readonly #starts: readonly number[];
  readonly #end: number;

  constructor(text: string) {
    this.text = text;
    this.#end = text.endsWith("\n") ? beforeBreak(text, 0, text.length - 1) : text.length;
    const starts = [0];
    for (let at = text.indexOf("\n"); at >= 0 && at < this.#end; at = text.indexOf("\n", at + 1))
      starts.push(at + 1);
    this.#starts = starts;
  }

  get length(): number {
    return this.#starts.length;
  }

  /** Characters of the longest line. */
  get longest(): number {
    let longest = 0;
    for (let line = 0; line < this.length; line++)
      longest = Math.max(longest, this.to(line) - this.from(line));
    return longest;
  }

  from(line: number): number {
    return this.#starts[line] ?? this.#end;
  }

  to(line: number): number {
    const next = this.#starts[line + 1];
    return next === undefined ? this.#end : beforeBreak(this.text, this.from(line), next - 1);
  }
}

/** The end of the line whose `\n` is here: before `\r\n`, if it is one. */
function beforeBreak(text: string, from: number, lineBreak: number): number {
  return lineBreak > from && text.charCodeAt(lineBreak - 1) === RETURN ? lineBreak - 1 : lineBreak;
}
