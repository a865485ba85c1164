import { expect, test } from "vitest";
import { CLAUDE_CODE } from "../clients/claude-code.ts";
import type { Client } from "../clients/client.ts";
import { priceBill } from "../clients/money/price-bill.ts";
import { playScenario, SCENARIOS } from "../clients/money/scenarios.ts";
import { runClient } from "../clients/run-client.ts";
import { doneWith, promptFor } from "../clients/work.ts";
import type { Script } from "../provider/provider.ts";
import { prepare } from "./prepare.ts";
import { wrapped } from "./wrapped-client.ts";

const [SCENARIO] = SCENARIOS.filter(({ name }) => name === "edits");

/** Runs a session, and returns its cost by the provider's bill, in USD, and its output. */
async function runSession(start: (provider: string) => Client) {
  if (!SCENARIO) throw new Error("There is no such session.");
  const { calls } = SCENARIO;
  const script: Script = (request) => play(request);
  const { place, provider } = await prepare(CLAUDE_CODE, script);
  const play = playScenario(CLAUDE_CODE, SCENARIO, place.cwd);
  const ran = await runClient(start(provider.url), {
    ...{ home: place.home, cwd: place.cwd, prompt: promptFor("first", calls), model: "claude-sonnet-4-5" },
  });
  expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", calls) });
  expect(provider.refused).toEqual([]);
  return {
    dollars: priceBill(provider.billed).at(-1) ?? 0,
    printed: ran.stderr,
    count: provider.billed.length,
  };
}

test("the final line equals the provider's bill", async () => {
  const [straight, through] = await Promise.all([
    runSession((provider) => ({
      ...CLAUDE_CODE,
      launch: (session) => CLAUDE_CODE.launch({ ...session, baseUrl: provider }),
    })),
    runSession((provider) => wrapped(CLAUDE_CODE, { provider })),
  ]);
  const line = /^coppice: (\d+) requests: paid \$([\d.]+), without Coppice \$([\d.]+): .* saved \((\d+) %\)/m;
  const [said = "", count, paid, , share] = line.exec(through.printed) ?? [];
  const saved = (100 * (straight.dollars - through.dollars)) / straight.dollars;
  process.stdout.write(`${said} The bills say ${saved.toFixed(1)} %.\n`);
  expect(Number(count), through.printed).toBe(through.count);
  expect(Number(paid)).toBeCloseTo(through.dollars, 2);
  expect(Math.abs(Number(share) - saved)).toBeLessThanOrEqual(2);
});
