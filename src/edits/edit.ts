import type { PartKey } from "../transcript/part.ts";
import type { Ref } from "../transcript/refs.ts";
import type { Mechanism } from "./mechanism.ts";

/** A ref and its count: two edits of the same span share the ref, never the id. */
export type EditId = string & { readonly __brand: "EditId" };

interface EditBase {
  readonly id: EditId;
  readonly ref: Ref;
  /** Who asked: a strategy's name, or `agent`. */
  readonly author: string;
  /** By what means, for statistics; edits of older versions do not say. */
  readonly mechanism?: Mechanism;
  /** Why, for people: `superseded by a newer read of src/a.ts`. */
  readonly reason: string;
  /** Parts that the edit refers to: protected while it stands. */
  readonly needs: readonly PartKey[];
  /** Tokens that the view (texts and tags as shown) had before the edit minus those it had after it; never negative or zero. */
  readonly saved: number;
}

/** Text instead of `from … to` of the *original* leaf. No edit targets replacement text. */
export interface ReplaceEdit extends EditBase {
  readonly type: "replace";
  readonly part: PartKey;
  readonly leaf: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Recognises the original without holding it. */
  readonly original: { readonly length: number; readonly hash: string };
}

/**
 * A call: its whole group (all calls of that step, their results, its reasoning). Reasoning, or a result without a call:
 * that part. Anything else: all that its message says in that step, once its calls have left.
 */
export interface DropEdit extends EditBase {
  readonly type: "drop";
  readonly part: PartKey;
  /** Everything that leaves with it, itself included. */
  readonly parts: readonly PartKey[];
}

/** Takes an edit back. Whatever it hid (inner edits, an older edit of the same span) shows again. */
export interface UndoEdit {
  readonly type: "undo";
  readonly target: EditId;
  readonly author: string;
  readonly reason: string;
  /** As of any edit: what comes back is a saving below zero. Zero where something else hides it still. */
  readonly saved: number;
}

export type Cut = ReplaceEdit | DropEdit;
export type Edit = Cut | UndoEdit;
