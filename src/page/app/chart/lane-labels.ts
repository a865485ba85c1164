import { countOf, formatNumber } from "../format.ts";
import type { MeasureText } from "./measure-text.ts";

/** A line across the chart at the start of a segment. */
export interface LaneMark {
  /** In pixels. */
  readonly x: number;
  readonly kind: "compaction" | "conversation";
  /** Of a conversation. */
  readonly number: number;
}

export interface LaneLabel {
  readonly text: string;
  readonly left: number;
  readonly width: number;
}

interface Group extends LaneLabel {
  readonly marks: readonly LaneMark[];
}

const GAP = 8;
/** With more marks than this, they share one label. */
const MOST_MARKS = 12;

/**
 * Labels in a lane above the chart. A mark has its own label if there is room, or else shares one with its
 * neighbours:
 *
 *   |compaction      |compaction      |2 compactions
 *   |                |                | |
 */
export function placeLaneLabels(
  marks: readonly LaneMark[],
  lane: { readonly left: number; readonly right: number },
  measure: MeasureText,
): readonly LaneLabel[] {
  const put = (marked: readonly LaneMark[], left: number): Group => {
    const text = nameMarks(marked);
    const width = measure(text);
    return { marks: marked, text, width, left: Math.max(lane.left, Math.min(left, lane.right - width)) };
  };
  if (marks.length > MOST_MARKS) return [put(marks, lane.left)];
  const groups: Group[] = [];
  for (const mark of marks) {
    let group = put([mark], mark.x + 4);
    // A label that the previous one would overlap is merged with it, and possibly with the one before that.
    for (let before = groups.at(-1); before && endOf(before) > group.left; before = groups.at(-1)) {
      groups.pop();
      group = put([...before.marks, ...group.marks], before.left);
    }
    groups.push(group);
  }
  return groups.filter(({ width }) => width <= lane.right - lane.left);
}

function endOf({ left, width }: Group): number {
  return left + width + GAP;
}

/** `compaction`, `3 compactions`, `conversation 2`, `4 conversations` */
function nameMarks(marks: readonly LaneMark[]): string {
  const conversations = marks.filter(({ kind }) => kind === "conversation");
  const compactions = marks.length - conversations.length;
  const [only] = conversations;
  return [
    ...(compactions > 0 ? [compactions === 1 ? "compaction" : countOf(compactions, "compaction")] : []),
    ...(only && conversations.length === 1 ? [`conversation ${formatNumber(only.number)}`] : []),
    ...(conversations.length > 1 ? [`${formatNumber(conversations.length)} more conversations`] : []),
  ].join(", ");
}
