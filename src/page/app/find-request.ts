import type { ReportData } from "../data.ts";

/** The first part that was new in a request; if there was none, in the next one. */
export function findRequest({ parts }: ReportData, request: number): number | undefined {
  const at = parts.findIndex((part) => (part.request ?? Number.POSITIVE_INFINITY) >= request);
  return at < 0 ? undefined : at;
}

/** The first part of the response to a request: the first that a later request sent. */
export function findAnswer(data: ReportData, request: number): number | undefined {
  return findRequest(data, request + 1);
}
