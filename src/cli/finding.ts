/** What was looked at, and what to do where it is not as it should be. */
export interface Finding {
  readonly state: "ok" | "hint" | "problem";
  readonly what: string;
  readonly found: string;
  readonly advice?: string;
}
