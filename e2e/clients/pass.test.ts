import { describe, expect, test } from "vitest";
import { CLIENTS } from "./clients.ts";
import { pathOf } from "./project.ts";
import { setStage } from "./stage.ts";
import { doneWith, promptFor, work } from "./work.ts";

describe.concurrent.each(CLIENTS)("$name", (client) => {
  test("through the proxy, with nothing to cut: the same answer, and the same bytes both ways", async ({
    onTestFinished,
  }) => {
    // Every file once: nothing is stale.
    const stage = await setStage(
      onTestFinished,
      client,
      ({ cwd }) =>
        work({ ...{ tools: client.tools, cwd }, instead: (n) => client.tools.read(pathOf(cwd, n)) }),
      { strategies: { aggressivePruning: { pruneLineNumbers: false } }, schedule: { ownMark: false } },
    );
    const { provider, tap, complaints, run } = stage;
    const ran = await run({ prompt: promptFor("first", 3) });
    expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", 3) });
    const again = await run({ prompt: promptFor("first", 4), resume: String(ran.session) });
    expect(again, again.stderr).toMatchObject({ code: 0, answer: doneWith("first", 4) });

    expect(provider.refused).toEqual([]);
    expect(complaints).toEqual([]);
    const sent = stage.sent();
    expect(sent.length).toBe(provider.received.length);
    for (const { bytes, answer, hasEnded } of sent) {
      const taken = answer();
      const whole = hasEnded() ? undefined : taken.length;
      const arrived = provider.received.filter((each) => each.bytes.equals(bytes));
      expect(arrived.some((each) => each.answer().subarray(0, whole).equals(taken))).toBe(true);
    }
    expect(sent.length).toBeGreaterThanOrEqual(6);
    // Codex requests it once, and then continues.
    for (const answer of tap.upgrades) expect(answer).toBe("HTTP/1.1 426 Upgrade Required");
    expect(tap.upgrades.length).toBe(client.opensSocket ? 2 : 0);
  });
});

describe.concurrent.each(CLIENTS.filter(({ name }) => /^(?:Claude Code|OpenCode) /.test(name)))(
  "$name",
  (client) => {
    test("if set, its views are sent with every fifth line number, and it continues with its own data", async ({
      onTestFinished,
    }) => {
      const stage = await setStage(
        onTestFinished,
        client,
        ({ cwd }) =>
          work({ ...{ tools: client.tools, cwd }, instead: (n) => client.tools.read(pathOf(cwd, n)) }),
        { strategies: { aggressivePruning: { pruneLineNumbers: true } } },
      );
      const ran = await stage.run({ prompt: promptFor("first", 3) });
      expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", 3) });
      expect(stage.provider.refused).toEqual([]);
      const [own, gone] = [stage.sent(), stage.provider.received].map((all) => String(all.at(-1)?.bytes));
      // The file's third line, as the client's own tool shows it.
      const numbered = /\\n *3(?:→|\\t|\| |: )const total1 /;
      expect(own).toMatch(numbered);
      expect(gone).not.toMatch(numbered);
      expect(gone).toMatch(/\\nconst total1 /);
      expect(gone).toMatch(/\[only every fifth line number is shown\]/);
    });
  },
);
