import { formatNumber } from "../../basics/numbers.ts";

export { countOf, formatNumber, groupThousands, shortCount } from "../../basics/numbers.ts";

/** `41.2%`; a share just below 1 is `99.9%`, never `100%`. */
export function formatPercent(share: number): string {
  const percent = share * 100;
  const shown = percent < 100 && percent > 99.9 ? 99.9 : percent;
  return `${Number.isInteger(shown) ? shown : shown.toFixed(1)}%`;
}

/** The change from one amount to another: `−41.2%`, `+3%`, `±0%`. */
export function formatChange(from: number, to: number): string {
  const change = from === 0 ? 0 : (to - from) / from;
  const digits = `${Math.abs(change * 100).toFixed(1)}%`;
  if (digits === "0.0%") return "±0%";
  return `${change < 0 ? "−" : "+"}${digits}`;
}

/** `−12,345`, with a minus as wide as a digit; `+12,345` for tokens added. */
export function formatSaved(tokens: number): string {
  return tokens < 0 ? `+${formatNumber(-tokens)}` : `−${formatNumber(tokens)}`;
}

/** `$1,234.50`, `$0.0123`; next to larger amounts, with as many digits as they have. */
export function formatDollars(dollars: number, among: number = dollars): string {
  const [whole = "", cents = ""] = dollars.toFixed(among < 1 ? 4 : 2).split(".");
  return `$${formatNumber(Number(whole))}.${cents}`;
}

/** To the cent, for tables: `$1,234.50`, `< $0.01`, `−$0.02`; `≈ ` before an estimate. */
export function formatCents(dollars: number, isEstimated: boolean): string {
  const size = Math.abs(dollars);
  if (size > 0 && size < 0.005) return "< $0.01";
  return `${isEstimated ? "≈ " : ""}${dollars < 0 ? "−" : ""}${formatDollars(size, 1)}`;
}

/** `2026-01-20 09:14 UTC`, on every machine. */
export function formatTime(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `Tue 20 Jan 2026`, in UTC. */
export function formatDay(time: number): string {
  const date = new Date(time);
  return `${DAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** `Tue 20 Jan 2026, 09:14 to 09:54 UTC (40 min)`; both days if it continued past midnight. */
export function formatSpan(start: number, end: number): string {
  const clock = (time: number): string => new Date(time).toISOString().slice(11, 16);
  const [first, last] = [formatDay(start), formatDay(end)];
  if (end - start < 1_000) return `${first}, ${clock(start)} UTC`;
  const until = first === last ? clock(end) : `${last}, ${clock(end)}`;
  return `${first}, ${clock(start)} to ${until} UTC (${formatDuration(end - start)})`;
}

/** In the reader's time zone. */
export function sayLocally(time: number): string {
  return new Date(time).toLocaleString();
}

/** `3 h 12 min`, `48 s`. */
export function formatDuration(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  if (minutes < 1) return `${Math.round(milliseconds / 1_000)} s`;
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min` : `${formatNumber(hours)} h ${minutes % 60} min`;
}
