import type { JSX } from "preact";
import { splitMatches } from "./search.ts";

interface HighlightProps {
  readonly text: string;
  readonly matcher: RegExp | undefined;
}

/** A text with its matches marked. Text is never inserted as HTML. */
export function Highlight({ text, matcher }: HighlightProps): JSX.Element {
  const stretches = splitMatches(text, matcher);
  return <>{stretches.map(({ text: part, isMatch }, i) => (isMatch ? <mark key={i}>{part}</mark> : part))}</>;
}
