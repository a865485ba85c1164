import type { PrefixReport } from "../../analysis/prefix-report.ts";
import type { TokenizerName } from "../../models/profile.ts";
import type { PrefixChange } from "../../prefix/compare-inventories.ts";

/** The result of `coppice context`. Plain data. */
export interface ContextReport {
  readonly client: string;
  readonly title: string;
  readonly project: string;
  /** In milliseconds since 1970. */
  readonly time: number;
  readonly prefix: PrefixReport;
  /** The vocabulary that counts tokens. */
  readonly counted: TokenizerName | "estimate";
  /** The provider's price of one of these tokens. */
  readonly billed: number;
  /** Compared with the previous result. */
  readonly changes?: { readonly since: number; readonly list: readonly PrefixChange[] };
  /** Hosts that the client tried to reach, and could not. */
  readonly refused: readonly string[];
  /** Other problems, in one line. */
  readonly trouble?: string;
}
