/** The most that may be open on average, if each is closed by the next sign that could close it … */
const OPEN = 32;
/** … and the most braces, if none is closed within its word: a closing brace may be in quotes. */
const UNCLOSED = 1_024;

/** Shorter lines are never too long. */
const SHORT_LINE = 3_000;

/**
 * Would the parser take too long for a line? It looks for the end of each `{` in the same word, of each `$[`
 * anywhere, and of each parenthesis inside backticks. If it finds no end, it starts again after the opening sign.
 * So its time is the sum, over all characters, of the number that are open there.
 *
 *   {a,b} and {c,d}    ->  no
 *   {{{{{{{{ … {{{     ->  yes, if it is long
 */
export function isTangled(line: string): boolean {
  const length = Math.max(SHORT_LINE, line.length);
  const hasBackticks = line.includes("`");
  let [open, unclosed] = [0, 0];
  let [braces, unclosedBraces, brackets, parentheses] = [0, 0, 0, 0];
  for (let i = 0; i < line.length; i++) {
    switch (line.charCodeAt(i)) {
      case OPEN_BRACE:
        braces++;
        unclosedBraces++;
        break;
      case CLOSE_BRACE:
        if (braces > 0) braces--;
        break;
      case SPACE:
      case TAB:
      case NEWLINE:
        braces = 0;
        unclosedBraces = 0;
        break;
      case OPEN_BRACKET:
        if (line.charCodeAt(i - 1) === DOLLAR) brackets++;
        break;
      case OPEN_PARENTHESIS:
        if (hasBackticks) parentheses++;
        break;
      case CLOSE_PARENTHESIS:
        if (parentheses > 0) parentheses--;
        break;
    }
    open += braces + brackets + parentheses;
    unclosed += unclosedBraces;
  }
  return open > OPEN * length || unclosed > UNCLOSED * length;
}

const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, OPEN_PARENTHESIS, CLOSE_PARENTHESIS] = codes("{}[()");
const [SPACE, TAB, NEWLINE, DOLLAR] = codes(" \t\n$");

function codes(characters: string): readonly number[] {
  return [...characters].map((character) => character.charCodeAt(0));
}
