import { expect, test } from "vitest";
import type { Received } from "../provider/provider.ts";
import { lastOf } from "../sdk/session.ts";
import { CODEX_PLAIN } from "./codex.ts";
import { EAGER, setStage } from "./stage.ts";
import { doneWith, promptFor, work } from "./work.ts";

const SHORT = "The history, as only the provider can read it.";

test("its compaction contains the whole history with earlier cuts, and the session continues", async ({
  onTestFinished,
}) => {
  const stage = await setStage(
    onTestFinished,
    CODEX_PLAIN,
    ({ cwd }) => {
      const steps = work({ tools: CODEX_PLAIN.tools, cwd });
      return (request) => {
        if (request.raw.includes('"type":"compaction_trigger"')) return { compaction: SHORT };
        return request.raw.includes(SHORT) ? { text: doneWith("first", 20) } : steps(request);
      };
    },
    EAGER,
  );
  const args = ["-c", "model_auto_compact_token_limit=10000"];
  const ran = await stage.run({ prompt: promptFor("first", 20), args });
  expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", 20) });
  expect(stage.provider.refused).toEqual([]);
  expect(stage.complaints).toEqual([]);
  const asked = stage.provider.received.findIndex(({ raw }) => raw.includes('"type":"compaction_trigger"'));
  const [before, compacted] = stage.provider.received.slice(asked - 1, asked + 1);
  // Earlier cuts are in it too, and nothing else: the whole previous request is at its beginning.
  const items = (request: Received | undefined) =>
    ((request?.body.input ?? []) as readonly unknown[]).map((item) => JSON.stringify(item));
  expect(items(before).length).toBeGreaterThan(10);
  expect(items(compacted).slice(0, items(before).length)).toEqual(items(before));
  expect(lastOf(stage.provider).raw).toContain(SHORT);
  expect(lastOf(stage.provider).raw.length).toBeLessThan(before?.raw.length ?? 0);
});
