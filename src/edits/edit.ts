import type { PricedRisk } from "../risk/risk.ts";
import type { PartKey } from "../transcript/part.ts";
import type { Ref } from "../transcript/refs.ts";
import type { Mechanism } from "./mechanism.ts";

/** A ref with a counter, `a1b2c3.2`: two edits of the same span share the ref, but not the id. */
export type EditId = string & { readonly __brand: "EditId" };

interface EditBase {
  readonly id: EditId;
  readonly ref: Ref;
  /** Who asked: the name of a strategy or a rung, or one of those in `authors.ts`. */
  readonly author: string;
  /** By what means, for statistics. Edits recorded by older versions do not have it. */
  readonly mechanism?: Mechanism;
  /** Why, for people: `superseded by a newer read of src/a.ts`. */
  readonly reason: string;
  /** Parts that the edit refers to: protected while it stands. */
  readonly needs: readonly PartKey[];
  /** They are not protected: where one is cut, the edit is taken back and made again without them. */
  readonly yields?: true;
  /** How likely its text was thought to be needed again when the cut was made, and what that would cost. */
  readonly risk?: PricedRisk;
  /** Tokens of the view (texts and tags as shown) before the edit minus those after it; always above zero. */
  readonly saved: number;
}

/** Shows `text` in place of `from … to` of the *original* leaf. No edit targets replacement text. */
export interface ReplaceEdit extends EditBase {
  readonly type: "replace";
  readonly part: PartKey;
  readonly leaf: string;
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** Nothing is lost: the text says the same in fewer tokens. What is not cut of its leaf is shown in this form. */
  readonly lossless?: true;
  /** Enough to recognise the original text without keeping it. */
  readonly original: { readonly length: number; readonly hash: string };
}

/**
 * Leaves parts out. For a call, its whole group: all calls of that step, their results, its reasoning. For reasoning,
 * or a result without a call, only that part. For anything else, all that its message says in that step; its calls must
 * have been dropped before.
 */
export interface DropEdit extends EditBase {
  readonly type: "drop";
  readonly part: PartKey;
  /** All parts that are left out, `part` included. */
  readonly parts: readonly PartKey[];
}

/** Takes an edit back. What it hid (inner edits, an older edit of the same span) shows again. */
export interface UndoEdit {
  readonly type: "undo";
  readonly target: EditId;
  readonly author: string;
  readonly reason: string;
  /** Tokens, as for any edit: below zero, as text comes back. Zero where another edit still hides the text. */
  readonly saved: number;
}

export type Cut = ReplaceEdit | DropEdit;
export type Edit = Cut | UndoEdit;

export function isLossless(cut: Cut): boolean {
  return cut.type === "replace" && cut.lossless === true;
}
