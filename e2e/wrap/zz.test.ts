import { appendFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { createWorkplace } from "../clients/project.ts";
import { runClient } from "../clients/run-client.ts";
import { doneWith, promptFor, work } from "../clients/work.ts";
import { startProvider } from "../provider/provider.ts";
import { WRAPPED, wrapped } from "./wrapped-client.ts";

describe.each(WRAPPED.filter(({ name }) => new RegExp(process.env.ONLY ?? ".").test(name)))("$name", (client) => {
  test("wrapped", async () => {
    const place = createWorkplace();
    const provider = await startProvider(work({ tools: client.tools, cwd: place.cwd }));
    onTestFinished(async () => {
      await provider.close();
      place.dispose();
    });
    const ran = await runClient(wrapped(client, { provider: provider.url, flags: (process.env.FLAGS ?? "").split(" ").filter(Boolean) }), {
      home: place.home,
      cwd: place.cwd,
      prompt: promptFor("first", 5),
    });
    appendFileSync("/tmp/wrap/out.txt", `\n=== ${client.name} ${ran.code} ${ran.answer}\n${ran.stderr.slice(-1500)}\n${JSON.stringify(provider.asked?.map(({ method, path }) => `${method} ${path}`))}\n${ran.answer === undefined ? ran.stdout.slice(-1500) : ""}`);
    expect(ran).toMatchObject({ code: 0, answer: doneWith("first", 5) });
    expect(provider.refused).toEqual([]);
  });
});
