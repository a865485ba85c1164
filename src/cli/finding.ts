/** A check, and what to do if it fails. */
export interface Finding {
  readonly state: "ok" | "hint" | "problem";
  readonly what: string;
  readonly found: string;
  readonly advice?: string;
}
