import { expect, test } from "vitest";
import { coppicePolicy } from "../../src/replay/coppice-policy.ts";
import { keepLastResults } from "../../src/replay/peers.ts";
import { prepareReplay } from "../../src/replay/replay.ts";
import { noPruning } from "../../src/replay/replay-policy.ts";
import { call, type Line, makeRecording, result, user } from "./make-recording.ts";

const REQUESTS = 500;

/** Reads and edits in a project of many files, some 600 tokens a step. */
function makeSession(): readonly Line[] {
  const lines: Line[] = [user("clean up the project", 0)];
  let seen: readonly string[] = [];
  for (let step = 0; step < REQUESTS; step++) {
    const path = `/srv/app/src/module${step % 40}/fileNumber${step}.ts`;
    const input = step % 5 === 4 ? { path, old_string: seen.join("\n"), new_string: "" } : { path };
    seen = Array.from(
      { length: 21 },
      (_, i) =>
        `export const someValue${step * 31 + i} = computeThing_${(step * 7 + i) % 97}(${path}, ${step + 1000});`,
    );
    lines.push(call(`c${step}`, "old_string" in input ? "edit" : "read", input));
    lines.push(result(`c${step}`, seen.join("\n"), step * 1000));
  }
  return lines;
}

test.each([noPruning, keepLastResults(10), coppicePolicy()])(
  "$name: 500 requests and 300k tokens with evidence in 3 seconds",
  (policy) => {
    const recording = makeRecording(makeSession());
    const started = process.cpuUsage();
    const replay = prepareReplay(recording).run(policy);
    const seconds = process.cpuUsage(started).user / 1e6;
    expect(replay.requests).toHaveLength(REQUESTS);
    expect(prepareReplay(recording).unpruned.peak).toBeGreaterThan(300_000);
    expect(replay.evidence.counted).toBeGreaterThan(2_000);
    expect(replay.editEvidence.counted).toBeGreaterThan(2_000);
    expect(seconds).toBeLessThan(3);
  },
);
