import type { BillData, ReportData } from "../data.ts";
import { formatDollars, formatNumber } from "./format.ts";

/** The mark before every estimated amount. */
export const ESTIMATE = "≈ ";

/** As a share of a bill, so small a part of estimates is rounding. */
const NOTHING = 1e-6;

export function isEstimated({ dollars }: BillData): boolean {
  return dollars !== undefined && dollars.estimated > NOTHING * dollars.without;
}

/**
 * An amount of the bill: dollars if all prices are known, or else tokens of plain input; marked if it is an
 * estimate.
 */
export function amountOf(bill: BillData): (amount: number) => string {
  if (!bill.dollars) return formatNumber;
  const { without } = bill.dollars;
  const mark = isEstimated(bill) ? ESTIMATE : "";
  return (dollars) => `${mark}${formatDollars(dollars, without)}`;
}

/** Describes the sources of the bill's figures. */
export function sayBasis(data: ReportData): string {
  const isAssumed = data.issues.some(({ code }) => code === "cache-prices-assumed");
  return `${sayBill(data)}${isAssumed ? ", cache prices assumed" : ""}`;
}

function sayBill({ bill, requests }: ReportData): string {
  const { dollars } = bill;
  if (!dollars) return requests.length === 0 ? "" : "no price known: bill in tokens";
  if (!isEstimated(bill)) return "bill as recorded";
  return dollars.estimated > 0.999 * dollars.without
    ? "bill estimated"
    : `bill partly estimated: ${formatDollars(dollars.estimated)} of ${formatDollars(dollars.without)}`;
}

/** Describes how the sizes of requests were counted. */
export function sayCount({ requests }: ReportData): string {
  return requests.some(({ estimated }) => !estimated)
    ? "Tokens of every request, system prompt and tool definitions included: counted by Coppice, and fitted to the usage that was recorded."
    : "Tokens of every request as Coppice estimates them, system prompt and tool definitions included.";
}
