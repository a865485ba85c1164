import type { Stretch } from "../agent/propose.ts";
import { listPieces } from "../edits/leaf-edits.ts";
import type { Ledger } from "../edits/ledger.ts";
import type { Facts } from "../facts/facts.ts";

/** A part's text as shown, without tags, and where each piece of it is in the original. */
export interface ShownText {
  readonly part: number;
  readonly text: string;
  readonly segments: readonly Segment[];
}

interface Segment {
  /** In the shown text. */
  readonly from: number;
  readonly to: number;
  /** In the part's original text, all leaves taken together. */
  readonly original: { readonly from: number; readonly to: number };
  /** The replacement text of a cut, which can only be replaced as a whole. */
  readonly marker: boolean;
}

/** Put between two leaves. It occurs in no pattern, so no pattern spans two leaves. */
const LEAF_BREAK = "\u0000";

export function readShown({ transcript }: Facts, ledger: Ledger, part: number): ShownText {
  const key = transcript.key(part);
  const segments: Segment[] = [];
  let text = "";
  let start = 0;
  const add = (shown: string, from: number, to: number, marker: boolean) => {
    segments.push({
      from: text.length,
      to: text.length + shown.length,
      original: { from: start + from, to: start + to },
      marker,
    });
    text += shown;
  };
  for (const [i, leaf] of transcript.part(part).leaves.entries()) {
    if (i > 0) add(LEAF_BREAK, 0, 0, false);
    const active = ledger.replacementsOf(key, leaf.id);
    for (const { from, to, text: shown, replaces } of listPieces(leaf.text, active))
      add(shown, from, to, replaces);
    start += leaf.text.length;
  }
  return { part, text, segments };
}

/** A stretch of shown text and of the original. If it touched a marker, it was widened to include all of it. */
export interface ShownStretch extends Stretch {
  readonly shown: string;
}

export function toOriginal({ part, text, segments }: ShownText, from: number, to: number): ShownStretch {
  const first = segments.find((segment) => from < segment.to);
  const last = segments.findLast((segment) => to > segment.from);
  if (!first || !last) throw new RangeError(`${from}–${to} is not a range in ${text.length} characters`);
  return {
    part,
    from: first.marker ? first.original.from : first.original.from + from - first.from,
    to: last.marker ? last.original.to : last.original.from + to - last.from,
    shown: text
      .slice(first.marker ? first.from : from, last.marker ? last.to : to)
      .replaceAll(LEAF_BREAK, ""),
  };
}
