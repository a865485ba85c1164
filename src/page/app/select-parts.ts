import { MECHANISMS, type Mechanism } from "../../edits/mechanism.ts";
import type { PartData, ReportData } from "../data.ts";
import { findFirst, makeMatcher } from "./search.ts";

export interface Filter {
  readonly show: "everything" | "edits" | Mechanism;
  readonly query: string;
}

export const NO_FILTER: Filter = { show: "everything", query: "" };

export function isFiltering({ show, query }: Filter): boolean {
  return show !== "everything" || query.trim() !== "";
}

/** The parts that match a filter, in order. */
export function selectParts({ parts, edits }: ReportData, { show, query }: Filter): readonly number[] {
  const matcher = makeMatcher(query);
  const selected: number[] = [];
  for (const [i, part] of parts.entries()) {
    const isShown =
      show === "everything" || part.edits.some((edit) => show === "edits" || edits[edit]?.mechanism === show);
    if (isShown && (!matcher || matches(part, matcher, edits))) selected.push(i);
  }
  return selected;
}

/** Searches a part's texts (original and replacement), its title, and the refs and reasons of its edits. */
function matches(part: PartData, matcher: RegExp, edits: ReportData["edits"]): boolean {
  const has = (text: string): boolean => findFirst(text, matcher) >= 0;
  return (
    has(part.title) ||
    part.leaves.some(({ pieces }) =>
      pieces.some(({ text, cut }) => has(text) || (cut && has(cut.instead))),
    ) ||
    part.edits.some((edit) => has(edits[edit]?.ref ?? "") || has(edits[edit]?.reason ?? ""))
  );
}

export interface MechanismCount {
  readonly mechanism: Mechanism;
  readonly edits: number;
  readonly saved: number;
}

/** The active edits, by mechanism, in the order of the statistics. */
export function countMechanisms(edits: ReportData["edits"]): readonly MechanismCount[] {
  return MECHANISMS.flatMap((mechanism) => {
    const made = edits.filter((edit) => edit.mechanism === mechanism && !edit.undone);
    return made.length === 0
      ? []
      : [{ mechanism, edits: made.length, saved: made.reduce((sum, { saved }) => sum + saved, 0) }];
  });
}
