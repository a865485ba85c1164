import { describe, expect, test } from "vitest";
import { decodeBody } from "../provider/decode-body.ts";
import { CLIENTS } from "./clients.ts";
import { EAGER, type Stage, setStage } from "./stage.ts";
import { doneWith, promptFor, work } from "./work.ts";

const RESTARTED_AT = 6;

describe.concurrent.each(CLIENTS)("$name", (client) => {
  test("a long session that is cut at once, restarted in the middle and resumed: nothing is refused, and a cold proxy sends the same", async ({
    onTestFinished,
  }) => {
    let stage: Stage | undefined;
    let isRestarted = false;
    stage = await setStage(
      onTestFinished,
      client,
      ({ cwd }) =>
        work({
          ...{ tools: client.tools, cwd },
          instead(n) {
            if (n === RESTARTED_AT && !isRestarted) {
              isRestarted = true;
              stage?.restart();
            }
            return undefined;
          },
        }),
      EAGER,
    );
    const { provider, complaints, run } = stage;
    const ran = await run({ prompt: promptFor("first", 10) });
    expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", 10) });
    const again = await run({ prompt: promptFor("first", 15), resume: String(ran.session) });
    expect(again, again.stderr).toMatchObject({ code: 0, answer: doneWith("first", 15) });
    expect(isRestarted).toBe(true);
    expect(provider.refused).toEqual([]);
    expect(complaints).toEqual([]);

    const sent = stage.sent();
    const sizes = sent.map(({ bytes, rawHeaders }) => decodeBody(bytes, encodingOf(rawHeaders)).length);
    const arrived = provider.received.map(({ raw }) => raw.length);
    expect(arrived.length).toBe(sent.length);
    // Files that were read again after an edit, and repeated queries.
    expect(sum(arrived)).toBeLessThan(sum(sizes) - 2_000);
    const last = sent.at(-1);
    const before = provider.received.at(-1);
    if (last) await stage.askCold(last);
    expect(provider.received.length).toBe(sent.length + 1);
    expect(provider.received.at(-1)?.raw).toBe(before?.raw);
  });
});

function encodingOf(rawHeaders: readonly string[]): string | undefined {
  const at = rawHeaders.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === "content-encoding");
  return at < 0 ? undefined : rawHeaders[at + 1];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
