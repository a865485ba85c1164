import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { type Provider, type Received, startProvider } from "../provider/provider.ts";
import { resultsOf } from "../sdk/session.ts";
import { buildPackage, createPi } from "./harness.ts";
import { OLD_PI, PI, type Program } from "./programs.ts";
import { connectRpc, type Rpc } from "./rpc.ts";
import { PROJECT, play, until } from "./script.ts";

const folder = buildPackage();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SETTINGS =
  '{ "schedule": { "mode": "eager" }, "strategies": { "pruneProtect": 2000, "pruneMinimum": 500 } }';
const CUT = /\[superseded: newer read of the file · ([0-9a-f]{6})\]/;
/** A result that ends with a tag. */
const TAGGED = /<\/tool_hash>"/;

function serve(program: Program, provider: Provider): Rpc {
  const extensions = [join(folder, "dist/pi.js")];
  const pi = createPi({ program, url: provider.url, extensions, settings: SETTINGS, files: PROJECT });
  const rpc = connectRpc(pi.serve());
  onTestFinished(async () => {
    rpc.close();
    await provider.close();
    pi.dispose();
  });
  return rpc;
}

describe.each([PI, OLD_PI])("$name", (program) => {
  test("pi's own compaction: text that was cut before it is recalled, off stays off, notices are shown", async () => {
    let ref = "";
    const act = play((n) => (n === 19 ? { name: "context_recall", input: { ref } } : undefined));
    // pi requests its summary without tools.
    const provider = await startProvider((request) =>
      request.body.tools ? act(request) : { text: "So far so good." },
    );
    const rpc = serve(program, provider);
    const last = () => provider.received.at(-1) as Received;

    await rpc.prompt(until(12));
    ref = CUT.exec(last().raw)?.[1] ?? "";
    expect(ref).not.toBe("");
    const [id = ""] = [...resultsOf(last())].find(([, text]) => text.includes(ref)) ?? [];
    const original = provider.received.map((request) => resultsOf(request).get(id)).find((text) => text);
    expect(rpc.shown.filter((text) => text.includes("▼")).length).toBeGreaterThan(2);

    expect(await rpc.command("/coppice off")).toContain("Coppice is off");
    await rpc.prompt(until(18));
    expect(last().raw).not.toMatch(CUT);
    expect(await rpc.ask({ type: "compact" })).toMatchObject({ success: true });
    await rpc.prompt(until(19));
    expect(last().raw).toContain("So far so good.");
    // The command was removed with the messages around it.
    expect(resultsOf(last()).has("call_12")).toBe(false);
    expect(last().raw).not.toMatch(TAGGED);

    await rpc.command("/coppice on");
    await rpc.prompt(until(20));
    const recalled = resultsOf(last()).get("call_19") ?? "";
    expect(last().raw).toMatch(TAGGED);
    expect(recalled).toContain("line 39: const total39");
    expect(recalled).toContain(original?.replace(/\n<tool_hash>.*/s, "").slice(0, 1_000));
    expect(provider.refused).toEqual([]);
    expect(await rpc.command("/coppice")).toMatch(/file: \d+ cuts/);
  });

  test("a fork is sent as its original was", async () => {
    const provider = await startProvider(play());
    const rpc = serve(program, provider);
    await rpc.prompt(until(12));
    const count = provider.received.length;
    await rpc.prompt(until(14));
    const { data } = await rpc.ask({ type: "get_fork_messages" });
    const { messages } = data as { messages: readonly { entryId: string; text: string }[] };
    const { entryId } = messages.find(({ text }) => text === until(14)) ?? {};
    expect(await rpc.ask({ type: "fork", entryId })).toMatchObject({ success: true });
    const forked = provider.received.length;
    await rpc.prompt(until(14));
    const [original, fork] = [provider.received[count], provider.received[forked]];
    expect(original?.raw).toMatch(CUT);
    expect(fork?.messages).toEqual(original?.messages);
    expect(provider.refused).toEqual([]);
  });
});

test("pi 0.87.1: changes of the system prompt stay in place, so that requests still begin as before", async () => {
  const provider = await startProvider(play());
  const pi = createPi({
    program: PI,
    url: provider.url,
    compat: { supportsMidConvoSystemMessages: true },
    extensions: [fileURLToPath(new URL("turn-section.mjs", import.meta.url)), join(folder, "dist/pi.js")],
    settings: SETTINGS,
    files: PROJECT,
  });
  onTestFinished(async () => {
    await provider.close();
    pi.dispose();
  });
  await pi.run([until(12), until(13)]);
  const [before, after] = provider.received.slice(12) as [Received, Received];
  const isSystem = (message: unknown) => (message as { readonly role: string }).role === "system";
  expect(after.messages.findLastIndex(isSystem)).toBeGreaterThanOrEqual(before.messages.length);
  expect(after.raw).toMatch(CUT);
  expect(after.messages.slice(0, before.messages.length)).toEqual(before.messages);
});
