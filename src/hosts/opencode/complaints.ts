import type { Issue } from "../../basics/issue.ts";
import type { Host } from "./host.ts";

/** Tells the user what is wrong, each thing once per process: in a toast, in OpenCode's log, and in `/coppice`. */
export class Complaints {
  readonly #host: Host;
  readonly #told = new Set<string>();
  #untold: Issue[] = [];

  constructor(host: Host) {
    this.#host = host;
  }

  get all(): readonly string[] {
    return [...this.#told];
  }

  /** Keeps issues for the next `tell`: while plugins load the host can't be called. */
  note(issues: readonly Issue[]): void {
    for (const issue of issues) this.#untold.push(issue);
  }

  /** Tells the user what is new. Issues of severity `info` are left out. */
  tell(issues: readonly Issue[] = []): void {
    const fresh = [...this.#untold, ...issues];
    this.#untold = [];
    for (const { severity, where, message } of fresh) {
      const text = where === undefined ? message : `${where}: ${message}`;
      if (severity === "info" || this.#told.has(text)) continue;
      this.#told.add(text);
      this.#host.log(severity === "error" ? "error" : "warn", text);
      this.#host.toast({ title: "Coppice", message: text, variant: severity, duration: 8_000 });
    }
  }
}
