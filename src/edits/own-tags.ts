const TAG = /\n?<(tool|message|reasoning)_hash>[0-9a-f]{6}<\/\1_hash>/g;

/** A text without the tags that name refs: one that a model has echoed, or a result that was sent with them before. */
export function stripTags(text: string): string {
  return text.includes("_hash>") ? text.replace(TAG, "") : text;
}
