import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CODEX } from "../clients/codex.ts";
import { GEMINI_CLI } from "../clients/gemini-cli.ts";
import { runClient } from "../clients/run-client.ts";
import { doneWith, promptFor } from "../clients/work.ts";
import { prepare } from "./prepare.ts";
import { wrapped } from "./wrapped-client.ts";

test.each([
  [CODEX, "collaboration__*", /"name":"(?:spawn_agent|wait_agent|send_message)","description"/],
  [GEMINI_CLI, "google_web_search", /"name":"google_web_search"/],
] as const)(
  "$name: prefix.dropTools leaves tools out of every request, and nothing is refused",
  async (client, glob, definition) => {
    const { place, provider } = await prepare(client);
    writeFileSync(join(place.cwd, ".coppice.jsonc"), JSON.stringify({ prefix: { dropTools: [glob] } }));
    const session = { home: place.home, cwd: place.cwd, prompt: promptFor("first", 5) };
    const model = client === GEMINI_CLI ? { model: "gemini-3.1-pro-preview" } : {};
    const ran = await runClient(wrapped(client, { provider: provider.url, flags: ["--no-tools"] }), {
      ...session,
      ...model,
    });
    expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", 5) });
    expect(provider.refused).toEqual([]);
    const own = provider.received.filter(({ raw }) => /"(?:tools|additional_tools)"/.test(raw));
    expect(own.length).toBeGreaterThanOrEqual(6);
    for (const { raw } of own) expect(raw).not.toMatch(definition);

    // Without it they are there.
    writeFileSync(join(place.cwd, ".coppice.jsonc"), "{}");
    await runClient(wrapped(client, { provider: provider.url, flags: ["--no-tools"] }), {
      ...session,
      ...model,
      prompt: promptFor("again", 1),
    });
    expect(provider.received.at(-1)?.raw).toMatch(definition);
  },
);
