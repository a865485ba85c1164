import type { Issue } from "../basics/issue.ts";
import type { Edit, ReplaceEdit } from "../edits/edit.ts";
import { showing } from "../edits/leaf-edits.ts";
import { Ledger } from "../edits/ledger.ts";
import { formatByName } from "../formats/detect.ts";
import { decodeMessages } from "../formats/intake/decode.ts";
import { takeIn } from "../formats/intake/intake.ts";
import type { TextProtocol } from "../formats/text-protocols/text-protocol.ts";
import type { Pruner } from "../pruner.ts";
import type { Uncut } from "../reports/uncut.ts";
import { findLeaf } from "../transcript/find-leaf.ts";
import { inFrame, type Leaf } from "../transcript/part.ts";
import { findLiterals, type Literal, type LiteralSpan } from "./dye.ts";
import type { Recording, Segment } from "./recording.ts";

/** A span of a literal's value, and the edit that gives its replacement. */
export interface LiteralCut {
  readonly literal: Literal;
  readonly from: number;
  readonly to: number;
  readonly edit: ReplaceEdit;
}

export interface FileCuts {
  /** All literals that messages are made of, most with an empty list. */
  readonly byLiteral: ReadonlyMap<Literal, readonly LiteralCut[]>;
  /** Number of edits whose text the file stores in another form than it was sent. */
  readonly left: number;
  /** Why nothing was cut, for the last segment; missing if something was. */
  readonly uncut?: Uncut;
  readonly issues: readonly Issue[];
}

/**
 * Prunes each segment and finds the strings of the file that its edits apply to. A string may be read more than
 * once (before a compaction, and after it as part of the kept tail): the last use decides, because that will be
 * sent. `undefined` if the dyed recording is not the recording plus marks.
 */
export function findCuts(
  recording: Recording,
  dyed: Recording,
  literals: readonly Literal[],
  pruner: Pruner,
  protocols: readonly TextProtocol[],
): FileCuts | undefined {
  const byLiteral = new Map<Literal, LiteralCut[]>();
  const issues = new Map<string, Issue>();
  let left = 0;
  let uncut: Uncut | undefined;
  let isUncut = true;
  for (const [index, segment] of recording.segments.entries()) {
    const twin = dyed.segments[index];
    if (twin?.messages.length !== segment.messages.length) return undefined;
    const { messages, carried, meta } = segment;
    const { report } = pruner.prune(messages, { session: `${index}`, carried, meta });
    uncut = report.uncut;
    isUncut &&= uncut !== undefined;
    for (const issue of report.issues) issues.set(JSON.stringify(issue), issue);
    const edits = report.edits.map(({ edit }) => edit);
    for (const { text, twinText, active } of listLeaves(recording, segment, twin, edits, protocols)) {
      const spans = findLiterals(twinText, text, literals) ?? [];
      for (const { literal } of spans) byLiteral.set(literal, []);
      for (const edit of showing(active)) {
        const cut = placeEdit(edit, spans);
        if (cut) byLiteral.get(cut.literal)?.push(cut);
        else left++;
      }
    }
  }
  return { byLiteral, left, issues: [...issues.values()], ...(isUncut && uncut && { uncut }) };
}

/**
 * Finds the place of an edit in the file: the string that contains its span. If the text was made of several
 * strings, or has words around them ("a.ts:" and the file), the edit goes to the longest string in its span, if
 * that gets shorter.
 */
function placeEdit(edit: ReplaceEdit, spans: readonly LiteralSpan[]): LiteralCut | undefined {
  const around = spans.find(({ from, to }) => from <= edit.from && edit.to <= to);
  if (around)
    return { literal: around.literal, from: edit.from - around.from, to: edit.to - around.from, edit };
  const covered = spans.filter(({ from, to }) => edit.from <= from && to <= edit.to);
  const [longest] = covered.toSorted((a, b) => b.to - b.from - (a.to - a.from));
  const length = longest ? longest.to - longest.from : 0;
  return longest && length > edit.text.length
    ? { literal: longest.literal, from: 0, to: length, edit }
    : undefined;
}

interface ShownLeaf {
  readonly text: string;
  readonly twinText: string;
  readonly active: readonly ReplaceEdit[];
}

/** The leaves of a segment, each with its dyed twin and its active edits. */
function* listLeaves(
  { format: name }: Recording,
  segment: Segment,
  twin: Segment,
  edits: readonly Edit[],
  protocols: readonly TextProtocol[],
): Generator<ShownLeaf> {
  const format = formatByName(name);
  const decoded = decodeMessages(format, segment.messages, [], [], protocols);
  const { transcript } = takeIn(decoded);
  const ledger = new Ledger(transcript.undoLog);
  for (const edit of edits) ledger.record(edit, 0);
  let at = 0;
  for (const [index, { parts }] of decoded.entries()) {
    const twins = new Map(format.decode(twin.messages[index]).parts.map((part) => [part.slot, part]));
    for (const part of parts) {
      const replacements = ledger.replacements(transcript.key(at++));
      const twinPart = twins.get(part.slot);
      for (const leaf of part.leaves) {
        const active = replacements.filter((edit) => edit.leaf === leaf.id);
        yield { ...widen(leaf, active), twinText: (twinPart && findLeaf(twinPart, leaf.id)?.text) ?? "" };
      }
    }
  }
}

/** For a leaf that is a stretch of a string: that string. */
function widen(leaf: Leaf, active: readonly ReplaceEdit[]): Pick<ShownLeaf, "text" | "active"> {
  const start = leaf.frame?.before.length ?? 0;
  const moved = active.map((edit) => ({ ...edit, from: edit.from + start, to: edit.to + start }));
  return { text: inFrame(leaf, leaf.text), active: moved };
}
