import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { startProvider } from "../provider/provider.ts";
import { lastOf } from "../sdk/session.ts";
import { CLIENTS } from "./clients.ts";
import { createWorkplace, pathOf, revisionLine } from "./project.ts";
import { resultsIn } from "./results-in.ts";
import { runClient } from "./run-client.ts";
import { doneWith, promptFor, work } from "./work.ts";

/**
 * The basis of the proxy's tests: each client works with the provider alone. On a busy machine, Qwen Code sometimes
 * returns the output of a command empty: then the run is repeated.
 */
describe.concurrent.each(CLIENTS)("$name", { retry: 1 }, (client) => {
  test("a session directly with the provider, and one that continues it", async ({ onTestFinished }) => {
    const place = createWorkplace();
    const provider = await startProvider(work({ tools: client.tools, cwd: place.cwd }));
    onTestFinished(async () => {
      await provider.close();
      place.dispose();
    });
    const session = { baseUrl: provider.url, home: place.home, cwd: place.cwd };
    const ran = await runClient(client, { ...session, prompt: promptFor("first", 5) });
    expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", 5) });
    expect(provider.refused).toEqual([]);

    const encoding = client.compresses ? "zstd" : undefined;
    for (const { headers } of provider.received) expect(headers["content-encoding"]).toBe(encoding);

    const results = resultsIn(lastOf(provider));
    expect(results).toHaveLength(5);
    expect(results[0]).toContain("nothing to commit");
    expect(results[1]).toContain(revisionLine(0));
    expect(results[3]).toContain(revisionLine(1));
    expect(results[4]).toContain("1 file changed");
    expect(readFileSync(pathOf(place.cwd, 0), "utf8")).toContain(revisionLine(1));

    const more = { prompt: promptFor("first", 7), resume: String(ran.session) };
    const again = await runClient(client, { ...session, ...more });
    expect(again, again.stderr).toMatchObject({ code: 0, answer: doneWith("first", 7) });
    expect(provider.refused).toEqual([]);
    expect(resultsIn(lastOf(provider))).toHaveLength(7);
  });
});
