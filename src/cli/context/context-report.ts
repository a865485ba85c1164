import type { PrefixReport } from "../../analysis/prefix-report.ts";
import type { TokenizerName } from "../../models/profile.ts";
import type { PrefixChange } from "../../prefix/compare-inventories.ts";

/** All that `coppice context` says. Plain data. */
export interface ContextReport {
  readonly client: string;
  readonly title: string;
  readonly project: string;
  /** In milliseconds since 1970. */
  readonly time: number;
  readonly prefix: PrefixReport;
  /** By which vocabulary tokens are counted. */
  readonly counted: TokenizerName | "estimate";
  /** What the provider bills for one of these tokens. */
  readonly billed: number;
  /** Against the look before. */
  readonly changes?: { readonly since: number; readonly list: readonly PrefixChange[] };
  /** Hosts that the client wanted to reach, and did not. */
  readonly refused: readonly string[];
  /** What went wrong beside the look itself, in one line. */
  readonly trouble?: string;
}
