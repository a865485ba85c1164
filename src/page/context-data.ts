import type { PrefixReport } from "../analysis/prefix-report.ts";
import type { PrefixChange } from "../prefix/compare-inventories.ts";

/** The data of a prefix page. Plain JSON: names and sizes, no text. */
export interface ContextData {
  readonly title: string;
  readonly project: string;
  /** In milliseconds since 1970. */
  readonly time: number;
  readonly prefix: PrefixReport;
  readonly billed: number;
  readonly changes?: { readonly since: number; readonly list: readonly PrefixChange[] };
}
