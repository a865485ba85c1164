import type { Issue } from "../basics/issue.ts";

/** Tells a person about problems, each once per process. Issues of severity `info` are left out. */
export class Complaints {
  readonly #say: (issue: Issue, text: string) => void;
  readonly #shown = new Set<string>();
  #untold: Issue[] = [];

  constructor(say: (issue: Issue, text: string) => void) {
    this.#say = say;
  }

  /** The problems that were reported so far. */
  get all(): readonly string[] {
    return [...this.#shown];
  }

  /** Keeps issues for the next `tell`, for moments when a host can't be called. */
  note(issues: readonly Issue[]): void {
    for (const issue of issues) this.#untold.push(issue);
  }

  tell(issues: readonly Issue[] = []): void {
    const fresh = [...this.#untold, ...issues];
    this.#untold = [];
    for (const issue of fresh) {
      const { severity, where, message } = issue;
      const text = where === undefined ? message : `${where}: ${message}`;
      if (severity === "info" || this.#shown.has(text)) continue;
      this.#shown.add(text);
      try {
        this.#say(issue, text);
      } catch {
        // An error in the listener must not stop us.
      }
    }
  }
}

/** The issues of a report that a person should see; the others are ordinary. */
const FAULTS: ReadonlySet<Issue["code"]> = new Set<Issue["code"]>([
  "fold-failed",
  "strategy-failed",
  "format-failed",
  "context-overflow",
  "mostly-opaque",
]);

export function listFaults(issues: readonly Issue[]): readonly Issue[] {
  return issues.filter(({ code }) => FAULTS.has(code));
}
