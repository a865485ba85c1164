import type { Screen } from "./screen.ts";

/** Says that pages contain the text of their sessions. */
export function noteText(what: string, redacted: boolean, screen: Screen): void {
  if (!redacted)
    screen.note(
      `${what} the session's text, secrets included; --redact masks the secrets that it recognises.`,
    );
}
