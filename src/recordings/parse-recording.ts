import type { Result } from "../basics/issue.ts";
import { claudeCode } from "./claude-code.ts";
import { clineRoo } from "./cline-roo.ts";
import { codex } from "./codex.ts";
import { copilotCli } from "./copilot-cli.ts";
import { readDocument } from "./document.ts";
import { geminiCli } from "./gemini-cli.ts";
import { readJsonLines } from "./json-lines.ts";
import { miniSweAgent } from "./mini-swe-agent.ts";
import { moatless } from "./moatless.ts";
import { opencode } from "./opencode.ts";
import { openHands } from "./openhands.ts";
import { pi } from "./pi.ts";
import { plainMessages } from "./plain-messages.ts";
import type { Head, Recording, RecordingKind } from "./recording.ts";
import { sweAgent } from "./swe-agent.ts";
import { tauBench } from "./tau-bench.ts";
import { tau2Bench } from "./tau2-bench.ts";
import { traeAgent } from "./trae-agent.ts";

/** The first kind that matches reads the file; plain messages come last. */
const kinds: readonly RecordingKind[] = [
  opencode,
  codex,
  claudeCode,
  pi,
  copilotCli,
  miniSweAgent,
  sweAgent,
  openHands,
  traeAgent,
  moatless,
  tau2Bench,
  tauBench,
  geminiCli,
  clineRoo,
  plainMessages,
];

/** Reads a recorded session of any agent: the content decides, not the name. */
export function parseRecording(text: string, name?: string): Result<Recording> {
  const where = name === undefined ? {} : { where: name };
  if (text.trim() === "") {
    const message = "the file is empty; an agent writes its session when the first answer arrives";
    return { ok: false, issue: { code: "empty-input", severity: "error", message, ...where } };
  }
  const document = readDocument(text);
  const head: Head = {
    text: text.slice(0, 4000),
    records: readJsonLines(text, name, 50).records,
    document: document.ok ? document.value : undefined,
  };
  const kind = kinds.find((each) => each.matches(head));
  if (kind) return kind.parse(text, name);
  if (!document.ok && head.records.length === 0 && /^\uFEFF?\s*[[{]/.test(text)) {
    const message = `this begins like JSON, but ${document.issue.message}`;
    return { ok: false, issue: { code: "unreadable-input", severity: "error", message, ...where } };
  }
  const lookedFor = kinds.map((each) => `\n  ${each.lookedFor}`).join("");
  const message = `this is not a recorded session that Coppice can read. It looked for:${lookedFor}`;
  return { ok: false, issue: { code: "not-a-recording", severity: "error", message, ...where } };
}
