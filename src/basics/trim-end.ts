/**
 * The text without these characters at its end, in linear time. (`/[.!?]+$/` takes quadratic time: it starts again at
 * every character of a run.)
 *
 *   trimEndOf("a.ts...", ".!?")   ->  a.ts
 */
export function trimEndOf(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
