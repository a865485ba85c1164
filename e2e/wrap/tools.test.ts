import { describe, expect, test } from "vitest";
import { CLAUDE_CODE } from "../clients/claude-code.ts";
import type { Client } from "../clients/client.ts";
import { GEMINI_CLI } from "../clients/gemini-cli.ts";
import { resultsIn } from "../clients/results-in.ts";
import { runClient } from "../clients/run-client.ts";
import { doneWith, promptFor, work } from "../clients/work.ts";
import type { Script } from "../provider/provider.ts";
import { lastOf } from "../sdk/session.ts";
import { type Prepared, prepare } from "./prepare.ts";
import { ONE_OF_EACH, wrapped } from "./wrapped-client.ts";

/** Queries the repository, then the state of the context, and ends. */
async function prepareAsking(client: Client): Promise<Prepared> {
  const script: Script = (request) =>
    work({
      tools: client.tools,
      cwd: prepared.place.cwd,
      instead: (n) => (n === 1 ? client.tools.mcp?.("context_info", {}) : undefined),
    })(request);
  const prepared = await prepare(client, script);
  return prepared;
}

// Gemini CLI accepts no server on a command line; pi does not support MCP.
const TAKING = ONE_OF_EACH.filter((client) => client.tools.mcp && client !== GEMINI_CLI);

describe.each(TAKING)("$name", (client) => {
  test("wrap hands it the agent's tools", async () => {
    const prepared = await prepareAsking(client);
    const { place, provider } = prepared;
    const session = { home: place.home, cwd: place.cwd, prompt: promptFor("asking", 2) };
    const ran = await runClient(wrapped(client, { provider: provider.url }), session);
    expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("asking", 2) });
    expect(resultsIn(lastOf(provider)).at(-1)).toMatch(/Context: /);
  });
});

describe("Gemini CLI", () => {
  test("gets no tools, so no mark names a ref", async () => {
    const { place, provider } = await prepare(GEMINI_CLI, (request) =>
      work({
        tools: GEMINI_CLI.tools,
        cwd: place.cwd,
        instead: () => GEMINI_CLI.tools.shell("seq 1 20000"),
      })(request),
    );
    const session = { home: place.home, cwd: place.cwd, prompt: promptFor("counting", 2) };
    const ran = await runClient(wrapped(GEMINI_CLI, { provider: provider.url }), session);
    expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("counting", 2) });
    const { raw } = lastOf(provider);
    expect(raw).not.toContain("context_recall");
    expect(raw).toMatch(/\[[\d,]+ lines omitted\]/);
    expect(raw).not.toMatch(/ · [0-9a-f]{6}\]/);
  });
});

describe("Claude Code", () => {
  test("needs no permission for them, and the user's permissions still apply", async () => {
    const careful: Client = {
      ...CLAUDE_CODE,
      launch(session) {
        const launch = CLAUDE_CODE.launch({ ...session, args: ["--allowedTools", "Bash(git status)"] });
        const command = launch.command.filter((word) => word !== "--dangerously-skip-permissions");
        return { ...launch, command: command as [string, ...string[]] };
      },
    };
    const { place, provider } = await prepareAsking(careful);
    const session = { home: place.home, cwd: place.cwd, prompt: promptFor("asking", 2) };
    const ran = await runClient(wrapped(careful, { provider: provider.url }), session);
    expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("asking", 2) });
    const [status, info] = resultsIn(lastOf(provider));
    expect(status).toContain("nothing to commit");
    expect(info).toMatch(/Context: /);
  });

  test("--no-tools leaves them out", async () => {
    const { place, provider } = await prepare(CLAUDE_CODE);
    const session = { home: place.home, cwd: place.cwd, prompt: promptFor("first", 1) };
    const told = { provider: provider.url, flags: ["--no-tools"] };
    const ran = await runClient(wrapped(CLAUDE_CODE, told), session);
    expect(ran, ran.stderr).toMatchObject({ code: 0, answer: doneWith("first", 1) });
    expect(lastOf(provider).raw).not.toContain("context_info");
  });
});
