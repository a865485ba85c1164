import type { Issue } from "../../basics/issue.ts";
import type { PartialConfig } from "../../config/config.ts";
import type { Report } from "../../reports/report.ts";
import type { Store } from "../../stores/store.ts";

/** Options of a host inside a program: the keys of the configuration, and what only code can provide. */
export interface HostOptions extends PartialConfig {
  /**
   * Where times and usage of requests are kept, so that a restart continues with the same bytes; default: in
   * memory.
   */
  readonly store?: Store;
  /** The folder that relative paths in tool calls refer to. */
  readonly directory?: string;
  /** Called once with each problem; by default, problems are written to the console. */
  readonly onIssue?: (issue: Issue, text: string) => void;
  /** Called with the report of each request, before it is sent. */
  readonly onReport?: (report: Report) => void;
  /** Returns the time, in milliseconds. */
  readonly clock?: () => number;
}
