import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readRecording } from "../../src/recordings/files.ts";
import type { Session } from "../generate.ts";
import { askLaws, runLive } from "../laws.ts";

/** Recorded sessions next to the project on a developer's machine; the project's own sample always exists. */
const SHARED = resolve("../shared/data/sessions");
const KINDS = ["claude-code", "cline-roo", "codex", "opencode", "pi", "swe-agent"];
/** For kinds with many sessions, every fourth is used, because all of them take minutes: `RECORDED=all` uses all. */
const MANY = 40;
const shared = existsSync(SHARED) ? KINDS.flatMap(listSessions) : [];
if (shared.length === 0) console.info(`no recordings in ${SHARED}: the laws are asked of the sample only`);

function listSessions(kind: string): readonly string[] {
  const files = readdirSync(join(SHARED, kind)).map((file) => join(SHARED, kind, file));
  return files.length < MANY || process.env.RECORDED === "all" ? files : files.filter((_, i) => i % 4 === 0);
}

/** Only the beginning of long sessions: some laws fold every request again. */
const MOST = 80;

const MODES = ["rent-or-buy", "eager"] as const;

/** Laws that are independent of the mode: once is enough. */
const OF_ANY_MODE = /^1[01] /;

describe.each([resolve("samples/discount-service.jsonl"), ...shared])("%s", (file) => {
  // Once for both: data that the laws compute on its messages is then shared.
  let reading: ReturnType<typeof readRecording> | undefined;
  afterAll(() => {
    reading = undefined;
  });

  test.each(MODES)("every law holds, %s", async (mode) => {
    reading ??= readRecording(file);
    const read = await reading;
    if (!read.ok) throw new Error(read.issue.message);
    const { format, segments } = read.value;
    let requests = 0;
    for (const { messages, meta } of segments) {
      const session: Session = { format, messages: messages.slice(0, MOST), meta: meta.slice(0, MOST) };
      const run = runLive(
        session,
        { agentTools: mode === "eager", config: { schedule: { mode } } },
        "signed",
      );
      askLaws(run, (name) => mode === "rent-or-buy" || !OF_ANY_MODE.test(name));
      requests += run.requests.length;
    }
    expect(requests).toBeGreaterThan(0);
  });
});
