import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { MessageBench } from "../../../src/edits/message-bench.ts";
import { formatByName } from "../../../src/formats/detect.ts";
import { readRecording } from "../../../src/recordings/files.ts";
import { ContextOverflowError } from "../../../src/strategies/trim/context-overflow-error.ts";
import { trimByAge } from "../../../src/strategies/trim/trim-by-age.ts";
import { trimByPriority } from "../../../src/strategies/trim/trim-by-priority.ts";
import { trimWithPlaceholders } from "../../../src/strategies/trim/trim-with-placeholders.ts";

/** Recorded sessions that lie beside the project on a developer's machine; the project's own sample is always there. */
const SHARED = resolve("../shared/data/sessions");
const KINDS = ["claude-code", "codex", "opencode", "pi"];
const shared = existsSync(SHARED)
  ? KINDS.flatMap((kind) =>
      readdirSync(join(SHARED, kind))
        .slice(0, 2)
        .map((file) => join(SHARED, kind, file)),
    )
  : [];
if (shared.length === 0) console.info(`no recordings in ${SHARED}: only the sample is trimmed`);

test.each([resolve("samples/discount-service.jsonl"), ...shared])(
  "%s fits and stays legal",
  async (file) => {
    const read = await readRecording(file);
    if (!read.ok) throw new Error(read.issue.message);
    const { format, segments } = read.value;
    const messages = segments.at(-1)?.messages ?? [];
    const { validate } = formatByName(format);
    const known = new Set(validate(messages, "signed").map(({ code }) => code));
    const size = (list: readonly unknown[]) => new MessageBench(list, { format }).view.total;
    const before = size(messages);
    let fitted = 0;
    for (const trim of [trimByPriority, trimWithPlaceholders, trimByAge]) {
      for (const share of [0.75, 0.4]) {
        const targetTokens = Math.floor(before * share);
        try {
          const trimmed = trim(messages, { targetTokens, format, summarizeDropped: true });
          expect(size(trimmed.messages)).toBeLessThanOrEqual(targetTokens);
          for (const { code, message } of validate(trimmed.messages, "signed"))
            expect(known, message).toContain(code);
          fitted++;
        } catch (error) {
          if (!(error instanceof ContextOverflowError)) throw error;
        }
      }
    }
    expect(fitted).toBeGreaterThan(0);
  },
  60_000,
);
