import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { type Provider, type Received, startProvider } from "../provider/provider.ts";
import { partsOf } from "../sdk/session.ts";
import { buildPackage, createPi, type Pi, type PiOptions } from "./harness.ts";
import { OH_MY_PI, OLD_PI, PI } from "./programs.ts";
import { PROJECT, play, until } from "./script.ts";

const folder = buildPackage();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const extension = join(folder, "dist/pi.js");

async function open(
  options: Omit<PiOptions, "url">,
  script = play(),
): Promise<{ readonly pi: Pi; readonly provider: Provider }> {
  const provider = await startProvider(script);
  const pi = createPi({ files: PROJECT, ...options, url: provider.url });
  onTestFinished(async () => {
    await provider.close();
    pi.dispose();
  });
  return { pi, provider };
}

const EAGER =
  '{ "schedule": { "mode": "eager" }, "strategies": { "pruneProtect": 2000, "pruneMinimum": 500 } }';

test.each([PI, OLD_PI, OH_MY_PI])("$name: `install` finds the extension in the package", async (program) => {
  const { pi, provider } = await open({ program });
  await pi.call("install", folder);
  await pi.run([until(1)]);
  expect(JSON.stringify(provider.received[0]?.body.tools)).toContain('"context_prune"');
  expect(provider.refused).toEqual([]);
});

describe.each([PI, OLD_PI])("$name", (program) => {
  test("if pruning fails, the messages are sent unchanged, with one report", async () => {
    const faulty = await open({
      program,
      settings: EAGER,
      extensions: [fileURLToPath(new URL("broken.mjs", import.meta.url))],
      env: { EXTENSION_UNDER_TEST: extension },
    });
    const printed = await faulty.pi.run([until(12)]);
    expect(printed).toContain("done at 12");
    expect(printed.match(/coppice: .*/g)).toEqual(["coppice: pruning failed: no branch today"]);
    const plain = await open({ program });
    await plain.pi.run([until(12)]);
    const sent = ({ received }: Provider) => received.map(({ messages }) => messages.slice(1));
    expect(sent(faulty.provider).length).toBe(13);
    expect(sent(faulty.provider)).toEqual(sent(plain.provider));
  });

  test("an unreadable settings file is reported, and the rest works", async () => {
    const { pi, provider } = await open({ program, extensions: [extension], settings: '{ "schedule": {' });
    const printed = await pi.run([until(3)]);
    expect(printed).toContain("done at 3");
    expect(printed).toMatch(/coppice: .*coppice\.jsonc:1/);
    expect(provider.refused).toEqual([]);
  });

  test('"enabled": false leaves every request as it is without Coppice', async () => {
    const { pi, provider } = await open({
      program,
      extensions: [extension],
      settings: '{ "enabled": false }',
    });
    await pi.run([until(2)]);
    expect(provider.received.map(({ raw }) => raw).join()).not.toMatch(/context_prune|tool_hash/);
  });

  test("steps that are dropped in a full window include their results: pi repairs nothing", async () => {
    // Long commands: results can be shortened, calls are only dropped with their steps.
    const script = play((n) => ({ name: "bash", input: { command: `echo ${`step ${n} `.repeat(300)}` } }));
    const { pi, provider } = await open(
      { program, extensions: [extension], api: "anthropic-messages", contextWindow: 30_000 },
      script,
    );
    expect(await pi.run([until(40)])).toContain("done at 40");
    expect(provider.refused).toEqual([]);
    const calls = (request: Received) => partsOf(request).filter(({ kind }) => kind === "call").length;
    const results = (request: Received) => partsOf(request).filter(({ kind }) => kind === "result").length;
    for (const request of provider.received) {
      expect(results(request)).toBe(calls(request));
      expect(request.raw).not.toContain("No result provided");
    }
    expect(calls(provider.received.at(-1) as Received)).toBeLessThan(30);
    expect(pi.readSession().text.split("echo step").length).toBe(41);
  });
});
