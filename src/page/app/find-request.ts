import type { ReportData } from "../data.ts";

/** The first part that was new in a request; where nothing was, in the next one. */
export function findRequest({ parts }: ReportData, request: number): number | undefined {
  const at = parts.findIndex((part) => (part.request ?? Number.POSITIVE_INFINITY) >= request);
  return at < 0 ? undefined : at;
}

/** The first part of the response to a request: the first that was not sent until a later request. */
export function findAnswer(data: ReportData, request: number): number | undefined {
  return findRequest(data, request + 1);
}
