import type { SessionAnalysis } from "./session-analysis.ts";
import { addHours, addSpans, HOUR, type HourSpending } from "./session-hours.ts";

/** A five-hour block of a subscription, as Claude's plans count it. */
export interface UsageBlock extends Omit<HourSpending, "hour"> {
  readonly source: SessionAnalysis["source"];
  readonly start: number;
  readonly end: number;
  /** Set if the block has not ended and its last request was less than five hours ago. */
  readonly running?: Projection;
}

/** The totals of a running block at its end, at the rate between its first and its last request. */
export interface Projection {
  readonly tokens: number;
  readonly dollars: number;
}

const BLOCK = 5 * HOUR;

/**
 * Lists the blocks, oldest first. A block begins with the hour of its first request and lasts five hours. The next
 * block begins with the first request after that. Each agent has its own blocks.
 *
 *   requests at 9:40, 12:10 and 14:20   ->   9:00 to 14:00, 14:00 to 19:00
 */
export function listBlocks(sessions: readonly SessionAnalysis[], now: number): readonly UsageBlock[] {
  const bySource = new Map<SessionAnalysis["source"], HourSpending[]>();
  for (const { source, hours } of sessions) bySource.set(source, [...(bySource.get(source) ?? []), ...hours]);
  return [...bySource]
    .flatMap(([source, hours]) =>
      joinHours(addHours(hours)).map(({ hour: start, ...block }) => {
        const whole = { source, start, end: start + BLOCK, ...block };
        return isRunning(whole, now) ? { ...whole, running: project(whole, now) } : whole;
      }),
    )
    .sort((a, b) => a.start - b.start || (a.source < b.source ? -1 : 1));
}

/** Blocks begin on the hour, so no hour belongs to two blocks. */
function joinHours(hours: readonly HourSpending[]): readonly HourSpending[] {
  const blocks: HourSpending[] = [];
  for (const each of hours) {
    const block = blocks.at(-1);
    if (block && each.hour < block.hour + BLOCK) blocks[blocks.length - 1] = addSpans(block, each);
    else blocks.push(each);
  }
  return blocks;
}

function isRunning({ end, last }: UsageBlock, now: number): boolean {
  return now < end && now - last < BLOCK;
}

function project({ first, last, end, sent, written, dollars }: UsageBlock, now: number): Projection {
  const span = last - first;
  const growth = span > 0 ? 1 + Math.max(0, end - now) / span : 1;
  return { tokens: Math.round((sent + written) * growth), dollars: dollars * growth };
}
