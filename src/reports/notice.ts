import { shortCount } from "../basics/numbers.ts";
import type { PruneNotification } from "../config/config.ts";
import { type Cut, isLossless } from "../edits/edit.ts";
import { kindOfKey } from "../transcript/keys.ts";
import type { PartKey } from "../transcript/part.ts";
import type { Report } from "./report.ts";
import { mechanismOf } from "./tally.ts";

export interface NoticeOptions {
  /** Show the summary that replaced distilled text. */
  readonly showDistillation?: boolean;
}

/**
 * The cuts that this request made for the first time, for the person at the screen: a toast or a status line, never
 * a message. Lossless edits are left out, because nearly every read has one. `undefined` if nothing was cut or the
 * mode is `off`.
 *
 *   minimal    「 ⚙️ 3(12.4K) ▼ · 🧠 1(2.0K) ▼ 」           tool calls (⚙️), messages (💬), reasoning (🧠), tokens saved
 *   detailed   the same, and a line for each cut with its ref and reason
 */
export function formatNotice(
  report: Pick<Report, "cut">,
  mode: PruneNotification,
  { showDistillation = false }: NoticeOptions = {},
): string | undefined {
  const edits = (report.cut?.edits ?? [])
    .filter((edit) => edit.type !== "undo")
    .filter((cut) => !isLossless(cut));
  if (mode === "off" || edits.length === 0) return undefined;
  const lines = edits.flatMap((edit) => [
    ...(mode === "detailed" ? [describeCut(edit)] : []),
    ...(showDistillation && edit.type === "replace" && mechanismOf(edit) === "distill" ? [edit.text] : []),
  ]);
  const more = lines.length - MOST_LINES;
  return [
    summarizeCuts(edits),
    ...lines.slice(0, MOST_LINES),
    ...(more > 0 ? [`… and ${more} more`] : []),
  ].join("\n");
}

const MOST_LINES = 30;

function describeCut({ ref, reason, saved }: Cut): string {
  return `→ ${ref} ${reason} (${shortCount(saved)})`;
}

const ICONS = ["⚙️", "💬", "🧠"] as const;

function summarizeCuts(edits: readonly Cut[]): string {
  const groups = ICONS.flatMap((icon) => {
    const own = edits.filter((edit) => iconOf(edit.part) === icon);
    const items = new Set(own.flatMap(listItems));
    const saved = own.reduce((sum, edit) => sum + edit.saved, 0);
    return items.size > 0 ? [`${icon} ${items.size}(${shortCount(saved)}) ▼`] : [];
  });
  return `「 ${groups.join(" · ")} 」`;
}

function iconOf(part: PartKey): (typeof ICONS)[number] {
  const kind = kindOfKey(part);
  if (kind === "reasoning") return "🧠";
  return kind === "call" || kind === "result" ? "⚙️" : "💬";
}

/** A call and its result are one item, however many edits they had; a dropped group counts one item per call. */
function listItems(edit: Cut): readonly string[] {
  const calls = edit.type === "drop" ? edit.parts.filter((part) => kindOfKey(part) === "call") : [];
  return (calls.length > 0 ? calls : [edit.part]).map(nameItem);
}

function nameItem(part: PartKey): string {
  return part.replace(/^(?:call|result):/, "");
}
