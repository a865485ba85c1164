const TAG = /\n?<(tool|message|reasoning)_hash>[0-9a-f]{6}<\/\1_hash>/g;

/** Removes the tags that name refs: a model may have repeated them, or a result was sent with them before. */
export function stripTags(text: string): string {
  return text.includes("_hash>") ? text.replace(TAG, "") : text;
}

const LAST_TAG = /\n?<(tool|message|reasoning)_hash>[0-9a-f]{6}<\/\1_hash>$/;

/** Characters of the longest tag. */
const LONGEST_TAG = 40;

/** The start of the tags at the end of a text; the text's length if it has none. */
export function findLastTags(text: string): number {
  let end = text.length;
  for (;;) {
    const tag = LAST_TAG.exec(text.slice(Math.max(0, end - LONGEST_TAG), end))?.[0];
    if (tag === undefined) return end;
    end -= tag.length;
  }
}
