import type { Issue } from "../../basics/issue.ts";
import type { PartialConfig } from "../../config/config.ts";
import type { Report } from "../../reports/report.ts";
import type { Store } from "../../stores/store.ts";

/** What a host inside a program takes: the keys of the configuration, and what only code can give. */
export interface HostOptions extends PartialConfig {
  /** Where times and usage of requests are kept, so that a restart goes on with the same bytes; else in memory. */
  readonly store?: Store;
  /** What relative paths in tool calls are relative to. */
  readonly directory?: string;
  /** Told of each thing that is wrong, once; by default it is written to the console. */
  readonly onIssue?: (issue: Issue, text: string) => void;
  /** Told what was done to each request, before it is sent. */
  readonly onReport?: (report: Report) => void;
  /** The time, in milliseconds. */
  readonly clock?: () => number;
}
