/** A day of a time zone, `2026-11-17`. Days sort as texts. */
export type Day = string;

/** The range of days to include, both ends included. */
export interface DayRange {
  readonly since?: Day;
  readonly until?: Day;
}

/** Time zones differ by quarters of an hour. */
const QUARTER = 900_000;

/** The day of a time, in a zone (`Europe/Berlin`); `undefined` for a time outside the calendar. */
export function daysIn(zone: string): (time: number) => Day | undefined {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  const known = new Map<number, Day>();
  return (time) => {
    const quarter = Math.floor(time / QUARTER);
    const day = known.get(quarter) ?? write(format, quarter * QUARTER);
    if (day !== undefined) known.set(quarter, day);
    return day;
  };
}

function write(format: Intl.DateTimeFormat, time: number): Day | undefined {
  if (!Number.isFinite(new Date(time).getTime())) return undefined;
  const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
  return `${parts.get("year")?.padStart(4, "0")}-${parts.get("month")}-${parts.get("day")}`;
}

export function isIn(day: Day | undefined, { since, until }: DayRange): boolean {
  if (since === undefined && until === undefined) return true;
  return day !== undefined && (since === undefined || day >= since) && (until === undefined || day <= until);
}

/** The Monday of a day's week. */
export function weekOf(day: Day): Day {
  const weekday = (new Date(toTime(day)).getUTCDay() + 6) % 7;
  return addDays(day, -weekday);
}

/** `2026-11` */
export function monthOf(day: Day): string {
  return day.slice(0, 7);
}

export function addDays(day: Day, days: number): Day {
  return new Date(toTime(day) + days * 86_400_000).toISOString().slice(0, 10);
}

/**
 * A day in a user's form: a date, or a number of days back.
 *
 *   2026-11-01   ->   2026-11-01
 *   7d           ->   the first of the last seven days, today included
 */
export function readDay(text: string, today: Day): Day | undefined {
  const [, back] = /^(\d{1,5})d$/.exec(text) ?? [];
  if (back !== undefined) return addDays(today, 1 - Math.max(1, Number(back)));
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const time = toTime(text);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? undefined : text;
}

function toTime(day: Day): number {
  return Date.parse(`${day}T00:00:00Z`);
}
