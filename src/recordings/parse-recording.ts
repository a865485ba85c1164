import type { Result } from "../issue.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { readJsonLines } from "./json-lines.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import type { Recording, RecordingKind } from "./recording.ts";

/** The first one that matches reads the file. */
const kinds: readonly RecordingKind[] = [opencode, codex, claudeCode, pi];

/** Reads a recorded session, whichever agent wrote it: the content decides, not the name. */
export function parseRecording(text: string, name?: string): Result<Recording> {
  const where = name === undefined ? {} : { where: name };
  if (text.trim() === "") {
    const message = "there is nothing in it; an agent writes its session when the first answer comes";
    return { ok: false, issue: { code: "empty-input", severity: "error", message, ...where } };
  }
  const head = { text: text.slice(0, 4000), records: readJsonLines(text, name, 50).records };
  const kind = kinds.find((each) => each.matches(head));
  if (kind) return kind.parse(text, name);
  const lookedFor = kinds.map((each) => `\n  ${each.lookedFor}`).join("");
  const message = `this is no recorded session that Coppice knows. It looked for:${lookedFor}`;
  return { ok: false, issue: { code: "not-a-recording", severity: "error", message, ...where } };
}
