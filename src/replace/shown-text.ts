import type { Stretch } from "../agent/propose.ts";
import { showing } from "../edits/leaf-edits.ts";
import type { Ledger } from "../edits/ledger.ts";
import type { Facts } from "../facts/facts.ts";

/** A part's text as it is shown, tags left out, and where each piece of it stands in the original. */
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
  /** Put there by a cut: it goes whole or not at all. */
  readonly marker: boolean;
}

/** Stands between two leaves: in no pattern, so that none reaches over. */
const BETWEEN = "\u0000";

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
    if (i > 0) add(BETWEEN, 0, 0, false);
    let at = 0;
    const standing = ledger.replacementsOf(key, leaf.id);
    for (const cut of standing.length === 0 ? [] : showing(standing)) {
      add(leaf.text.slice(at, cut.from), at, cut.from, false);
      add(cut.text, cut.from, cut.to, true);
      at = cut.to;
    }
    add(at === 0 ? leaf.text : leaf.text.slice(at), at, leaf.text.length, false);
    start += leaf.text.length;
  }
  return { part, text, segments };
}

/** A stretch of shown text and the original behind it. Where it touches a marker it has been widened to cover it. */
export interface ShownStretch extends Stretch {
  readonly shown: string;
}

export function toOriginal({ part, text, segments }: ShownText, from: number, to: number): ShownStretch {
  const first = segments.find((segment) => from < segment.to);
  const last = segments.findLast((segment) => to > segment.from);
  if (!first || !last) throw new RangeError(`${from}–${to} is no stretch of ${text.length} characters`);
  return {
    part,
    from: first.marker ? first.original.from : first.original.from + from - first.from,
    to: last.marker ? last.original.to : last.original.from + to - last.from,
    shown: text.slice(first.marker ? first.from : from, last.marker ? last.to : to).replaceAll(BETWEEN, ""),
  };
}
