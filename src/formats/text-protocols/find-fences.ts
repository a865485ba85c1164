/** A fenced block of Markdown. */
export interface FencedText {
  /** The word after the opening fence, in lower case; empty if there is none. */
  readonly language: string;
  readonly text: string;
}

const MARK = "```";

/** The closed fenced blocks of a text, in order. A fence counts only at the start of a line. */
export function findFences(text: string): readonly FencedText[] {
  const fences: FencedText[] = [];
  let opened: { readonly language: string; readonly from: number } | undefined;
  for (let at = findMark(text, 0); at >= 0; at = findMark(text, at + MARK.length)) {
    const lineEnd = text.indexOf("\n", at);
    const end = lineEnd < 0 ? text.length : lineEnd;
    if (opened) {
      fences.push({
        language: opened.language,
        text: text.slice(opened.from, Math.max(opened.from, at - 1)),
      });
      opened = undefined;
    } else {
      const language = text
        .slice(at + MARK.length, end)
        .trim()
        .toLowerCase();
      opened = { language, from: Math.min(end + 1, text.length) };
    }
  }
  return fences;
}

function findMark(text: string, from: number): number {
  if (from === 0 && text.startsWith(MARK)) return 0;
  const at = text.indexOf(`\n${MARK}`, Math.max(0, from - 1));
  return at < 0 ? at : at + 1;
}
