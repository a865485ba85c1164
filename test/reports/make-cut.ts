import type { Cut, EditId } from "../../src/edits/edit.ts";
import type { Mechanism } from "../../src/edits/mechanism.ts";
import type { PartKey } from "../../src/transcript/part.ts";
import type { Ref } from "../../src/transcript/refs.ts";

let serial = 0;

interface CutFields {
  readonly author?: string;
  readonly mechanism?: Mechanism;
  readonly reason?: string;
  readonly text?: string;
  /** Of a dropped group. */
  readonly parts?: readonly string[];
}

/** A recorded replacement of the part, or a drop where the parts of the group are given. */
export function makeCut(part: string, saved: number, fields: CutFields = {}): Cut {
  const {
    author = "duplicate-calls",
    mechanism = "hash",
    reason = "superseded",
    text = "[cut]",
    parts = [],
  } = fields;
  const ref = `a${String(serial++).padStart(5, "0")}` as Ref;
  const base = {
    id: `${ref}.1` as EditId,
    ref,
    author,
    mechanism,
    reason,
    needs: [],
    saved,
    part: part as PartKey,
  };
  if (parts.length > 0) return { ...base, type: "drop", parts: parts as readonly PartKey[] };
  const original = { length: 10, hash: "0" };
  return { ...base, type: "replace", leaf: "output", from: 0, to: 10, text, original };
}
