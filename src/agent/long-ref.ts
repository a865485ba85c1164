import { isRef, type Ref } from "../transcript/refs.ts";

/** A ref as agents write it: alone, or with the beginning of its conversation's root. */
export interface WrittenRef {
  /** The original text, if it is not a ref. */
  readonly ref: string;
  readonly root?: string;
}

/**
 * A ref is unique in its conversation. If an agent's tools serve several conversations, the ref may be followed by
 * the beginning of the root. For the conversation itself, both mean the same.
 *
 *   a1b2c3@9f2c   ->   a1b2c3, in the conversation whose root begins with 9f2c
 */
export function readRef(text: string): WrittenRef {
  const [, ref, root] = LONG_REF.exec(text) ?? [];
  return ref === undefined || root === undefined ? { ref: text } : { ref, root };
}

export function writeLongRef(ref: Ref, root: string): string {
  return `${ref}@${root}`;
}

const LONG_REF = /^([0-9a-f]{6})@([0-9a-f]{1,16})$/;

/** The refs in the input of one of our tools, each once. */
export function listRefs(texts: readonly unknown[]): readonly (WrittenRef & { readonly ref: Ref })[] {
  const refs = new Map<string, WrittenRef & { readonly ref: Ref }>();
  for (const text of texts) {
    const written = typeof text === "string" ? readRef(text) : { ref: "" };
    const { ref } = written;
    if (isRef(ref)) refs.set(ref, { ...written, ref });
  }
  return [...refs.values()];
}
