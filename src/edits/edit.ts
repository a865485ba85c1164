import type { PricedRisk } from "../risk/risk.ts";
import type { PartKey } from "../transcript/part.ts";
import type { Ref } from "../transcript/refs.ts";
import type { Mechanism } from "./mechanism.ts";

/** A ref with a counter, `a1b2c3.2`: two edits of the same span share the ref, but not the id. */
export type EditId = string & { readonly __brand: "EditId" };

interface EditBase {
  readonly id: EditId;
  readonly ref: Ref;
  /** The author: the name of a strategy or a rung, or one of those in `authors.ts`. */
  readonly author: string;
  /** The category in statistics. Edits recorded by older versions do not have it. */
  readonly mechanism?: Mechanism;
  /** The reason, for people: `superseded by a newer read of src/a.ts`. */
  readonly reason: string;
  /** Parts that the edit refers to. They are protected while it is active. */
  readonly needs: readonly PartKey[];
  /** These parts are not protected: if one is cut, the edit is undone and made again without them. */
  readonly yields?: true;
  /** How likely the text seemed to be needed again when the cut was made, and the price of that. */
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
  /** Nothing is lost: the text says the same in fewer tokens. The rest of its leaf is shown in this form. */
  readonly lossless?: true;
  /** Enough to recognise the original text without keeping it. */
  readonly original: { readonly length: number; readonly hash: string };
}

/**
 * Drops parts. For a call, its whole group: all calls of that step, their results, its reasoning. For reasoning, or a
 * result without a call, only that part. For anything else, all text of its message in that step; its calls must be
 * dropped first.
 */
export interface DropEdit extends EditBase {
  readonly type: "drop";
  readonly part: PartKey;
  /** All dropped parts, `part` included. */
  readonly parts: readonly PartKey[];
}

/** Undoes an edit. The edits that it hid (inner ones, an older one of the same span) show again. */
export interface UndoEdit {
  readonly type: "undo";
  readonly target: EditId;
  readonly author: string;
  readonly reason: string;
  /** Tokens, as for any edit. Below zero, because text comes back; zero if another edit still hides it. */
  readonly saved: number;
}

export type Cut = ReplaceEdit | DropEdit;
export type Edit = Cut | UndoEdit;

export function isLossless(cut: Cut): boolean {
  return cut.type === "replace" && cut.lossless === true;
}
