import type { Screen } from "./screen.ts";

/** Says of pages that they hold what their sessions hold. */
export function noteText(what: string, redacted: boolean, screen: Screen): void {
  if (!redacted)
    screen.note(
      `${what} the session's text, secrets included; --redact masks the secrets that it recognises.`,
    );
}
