/** The position after the JSON string that begins here. */
export function skipString(json: string, from: number): number {
  let at = json.indexOf('"', from + 1);
  while (at >= 0 && isEscaped(json, at)) at = json.indexOf('"', at + 1);
  return at < 0 ? json.length : at + 1;
}

/** Is there an odd number of backslashes before it? Each run of them is counted for one quote only. */
function isEscaped(json: string, at: number): boolean {
  let before = at - 1;
  while (json.charCodeAt(before) === BACKSLASH) before--;
  return (at - before) % 2 === 0;
}

const BACKSLASH = 0x5c;
