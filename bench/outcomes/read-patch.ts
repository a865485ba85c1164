/** One place that a patch changes. */
export interface Hunk {
  /** As the patch names it, from the project's folder on. */
  readonly file: string;
  /** Lines that the file had: those that go, and those around them. */
  readonly old: readonly string[];
  /** Lines that go or come. */
  readonly changed: readonly string[];
}

/**
 * The hunks of a patch as `git diff` writes it. Only lines of 12 characters and more, not counting blanks, say where they come
 * from; the others are left out.
 *
 *   --- a/shop/rate.py              ->  shop/rate.py
 *   +++ b/shop/rate.py                  old      def rate(order, day):, return base_rate(day)
 *   @@ -1,2 +1,2 @@                     changed  return base_rate(day), return full_rate(order, day)
 *    def rate(order, day):
 *   -    return base_rate(day)
 *   +    return full_rate(order, day)
 */
export function readPatch(patch: string): readonly Hunk[] {
  const hunks: { file: string; old: string[]; changed: string[] }[] = [];
  let file: string | undefined;
  let [left, right] = [0, 0];
  for (const line of patch.split(/\r?\n/)) {
    const hunk = hunks.at(-1);
    if (hunk && (left > 0 || right > 0)) {
      const [sign, text] = [line.charAt(0), line.slice(1)];
      if (sign === "\\") continue;
      if (sign !== "+") left--;
      if (sign !== "-") right--;
      if (!isTelling(text)) continue;
      if (sign !== "+") hunk.old.push(text);
      if (sign === "+" || sign === "-") hunk.changed.push(text);
      continue;
    }
    if (line.startsWith("--- ")) file = line.startsWith("--- a/") ? line.slice("--- a/".length) : undefined;
    const [, had, has] = HEAD.exec(line) ?? [];
    if (has === undefined || file === undefined) continue;
    [left, right] = [Number(had || 1), Number(has || 1)];
    hunks.push({ file, old: [], changed: [] });
  }
  return hunks;
}

/** `@@ -12,7 +12,9 @@`; a count of one may be missing. */
const HEAD = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

function isTelling(line: string): boolean {
  return line.replace(/\s/g, "").length >= 12;
}
