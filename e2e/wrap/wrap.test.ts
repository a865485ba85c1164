import { describe, expect, test } from "vitest";
import type { Client } from "../clients/client.ts";
import type { Workplace } from "../clients/project.ts";
import { runClient } from "../clients/run-client.ts";
import { doneWith, promptFor } from "../clients/work.ts";
import { changedFiles, filesNaming, listFiles } from "./home-files.ts";
import { prepare } from "./prepare.ts";
import { ONE_OF_EACH, wrapped } from "./wrapped-client.ts";

/** Coppice's journal; files that clients write if they have any MCP server (a log, its tools); temporary locks. */
const EXPECTED = [
  /^\.local\/share\/coppice\//,
  /\/mcp-logs-coppice\//,
  /^\.cache\/copilot\/mcp-tools\//,
  /\.lock$/,
];

async function runOnce(client: Client, { place }: { readonly place: Workplace }) {
  const session = { home: place.home, cwd: place.cwd };
  const before = listFiles(place.home);
  const ran = await runClient(client, { ...session, prompt: promptFor("first", 5) });
  return { ran, changed: changedFiles(before, listFiles(place.home)) };
}

describe.each(ONE_OF_EACH)("$name", (client) => {
  test("answers as without wrap, and changes no other file", async () => {
    const plain = await prepare(client);
    const pointed: Client = {
      ...client,
      launch: (session) => client.launch({ ...session, baseUrl: plain.provider.url }),
    };
    const without = await runOnce(pointed, plain);
    expect(without.ran, without.ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", 5) });

    const own = await prepare(client);
    const within = await runOnce(wrapped(client, { provider: own.provider.url }), own);
    expect(within.ran, within.ran.stderr).toMatchObject({ code: 0, answer: without.ran.answer });
    expect(own.provider.refused).toEqual([]);
    expect(within.changed.filter((path) => !EXPECTED.some((each) => each.test(path)))).toEqual(
      without.changed.filter((path) => !EXPECTED.some((each) => each.test(path))),
    );
    // A program's own files name addresses too.
    const usual = filesNaming(plain.place.home, plain.provider.url);
    const naming = filesNaming(own.place.home, own.provider.url).filter((path) => !usual.includes(path));
    expect(naming.filter((path) => !EXPECTED.some((each) => each.test(path)))).toEqual([]);
    const [line] = within.ran.stderr.trimEnd().split("\n").slice(-1);
    expect(line).toMatch(/^coppice: \d+ requests: /);
  });
});
