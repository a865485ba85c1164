import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Provider, type Received, startProvider } from "../provider/provider.ts";
import { resultsOf } from "../sdk/session.ts";
import { buildPackage, createPi, type Pi } from "./harness.ts";
import type { Program } from "./programs.ts";
import { PROJECT, play, textOf, until } from "./script.ts";

/** Makes all due cuts, so that a session of thirty steps has many; no notes, which move from request to request. */
const SETTINGS = `{
  // Comments are allowed.
  "schedule": { "mode": "eager" },
  "strategies": { "pruneProtect": 2000, "pruneMinimum": 500 },
  "tools": { "todoReminder": { "enabled": false }, "automataMode": { "enabled": false } }
}`;

const TAG = /<tool_hash>([0-9a-f]{6})<\/tool_hash>/g;
/** A tag that the model writes itself. */
const ECHO = "<tool_hash>0f0f0f</tool_hash>";
/** The shown refs of a cut result may depend on the length of the folder's name. */
const MARKER = /\[(?:superseded|discarded)[^\]]*\]|\[\d+ lines? omitted/;

/** A whole session in a real program: cuts, the agent's tools, a restart, a person's commands. */
export function describeSession(program: Program): void {
  describe(program.name, () => describeParts(program));
}

function describeParts(program: Program): void {
  const folder = buildPackage();
  let provider: Provider;
  let pi: Pi;
  /** The agent's own cut, and its target. */
  let ref = "";
  let tagged = "";

  beforeAll(async () => {
    const script = play((n, request) => {
      if (n === 20) return { name: "context_info", input: {} };
      if (n === 21) {
        ref = [...request.raw.matchAll(TAG)].at(-1)?.[1] ?? "";
        const texts = [...resultsOf(request).values()];
        tagged = texts.findLast((text) => text.includes(`<tool_hash>${ref}`)) ?? "";
        return { name: "context_prune", input: { action: "discard", targets: [[ref]] } };
      }
      if (n === 25) return { name: "context_recall", input: { ref } };
      return undefined;
    });
    provider = await startProvider((request) => {
      const reply = script(request);
      return reply.calls?.[0]?.id === "call_22" ? { ...reply, text: `Seen.\n${ECHO}` } : reply;
    });
    const extensions = [join(folder, "dist/pi.js")];
    pi = createPi({ program, url: provider.url, extensions, settings: SETTINGS, files: PROJECT });
  });
  afterAll(async () => {
    await provider.close();
    pi.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const sent = (): readonly Received[] => provider.received;
  /** As it was first sent: later on it may be cut. */
  const firstSent = (n: number): string | undefined =>
    sent()
      .map((request) => resultsOf(request).get(`call_${n}`))
      .find((text) => text !== undefined);

  test("thirty steps: cuts, nothing refused, the session whole", async () => {
    expect(await pi.run([until(30)])).toContain("done at 30");
    expect(provider.refused).toEqual([]);
    expect(sent().length).toBe(31);
    const last = resultsOf(sent().at(-1) as Received);
    expect(last.size).toBe(30);
    const cut = [...last.values()].filter((text) => MARKER.test(text));
    expect(cut.length).toBeGreaterThanOrEqual(20);
    const { text, entries } = pi.readSession();
    const stored = entries.filter(({ message }) => (message as { role?: string })?.role === "toolResult");
    expect(stored.length).toBe(30);
    for (let n = 1; n < 20; n++) {
      if (n % 4 === 0) continue;
      const entry = JSON.stringify(stored[n]);
      expect(entry).toContain(`module-${n % 7} line 39: const total39`);
    }
    expect(text).not.toMatch(MARKER);
    // Only if the agent wrote or requested them.
    expect(JSON.stringify(stored.slice(0, 20))).not.toContain("tool_hash");
  });

  test("views keep the line numbers that this program edits by", () => {
    expect(firstSent(1)).toContain(program.folder === ".omp" ? "\n2:module-1 line 1" : "\nmodule-1 line 1");
    for (const { raw } of sent()) expect(raw).not.toContain("only every fifth");
  });

  test("a tag in the model's answer is removed, if the program lets us", () => {
    expect(pi.readSession().text.includes(ECHO)).toBe(program.folder === ".omp");
  });

  test("the prompt has our text once, and our tools are there", () => {
    for (const { raw, body } of sent()) {
      expect(raw.split("Old tool results in this conversation may be").length).toBe(2);
      expect(JSON.stringify(body.tools)).toContain('"context_recall"');
    }
  });

  test("the agent's tools: discarded text is cut, and comes back unchanged", () => {
    expect(firstSent(20)).toMatch(/tokens/);
    expect(firstSent(21)).toMatch(/discard ✓/);
    const original = tagged.replaceAll(/\n<(?:tool|message)_hash>[^\n]*/g, "");
    expect(original.length).toBeGreaterThan(20);
    expect(firstSent(25)).toContain(original);
  });

  test("after a restart the next request begins with what was sent before", async () => {
    const before = sent().at(-1) as Received;
    const count = sent().length;
    await pi.run([until(34)], "--continue");
    expect(provider.refused).toEqual([]);
    const next = sent()[count] as Received;
    expect(next.messages.slice(0, before.messages.length)).toEqual(before.messages);
    expect(next.messages.length).toBe(before.messages.length + 2);
    expect(sent().length).toBe(count + 5);
  });

  test("/coppice shows what was done, without calling the model", async () => {
    const count = sent().length;
    const shown = await pi.run(["/coppice", "/coppice context", `/coppice explain ${ref}`], "--continue");
    expect(shown).toMatch(/^Coppice \d/m);
    expect(shown).toMatch(/file: \d+ cuts/);
    expect(shown).toContain("coppice.jsonc");
    expect(shown).toMatch(/Context: [\d,]+ of/);
    expect(shown).toContain(ref);
    expect(sent().length).toBe(count);
  });

  test("/coppice off and on: the session reports it, and the messages are sent unchanged", async () => {
    const count = sent().length;
    await pi.run(["/coppice off", until(35)], "--continue");
    const off = sent()[count] as Received;
    expect(off.raw).not.toMatch(MARKER);
    expect(resultsOf(off).get("call_1")).toContain(textOf("module-1").slice(-40).trim());
    expect(pi.readSession().entries).toContainEqual(
      expect.objectContaining({ type: "custom", data: { coppice: { action: "off" } } }),
    );
    await pi.run([until(36)], "--continue");
    expect((sent().at(-1) as Received).raw).not.toMatch(MARKER);
    await pi.run(["/coppice on", until(37)], "--continue");
    expect((sent().at(-1) as Received).raw).toMatch(MARKER);
    expect(sent().some(({ raw }) => raw.includes("coppice-command"))).toBe(false);
    expect(provider.refused).toEqual([]);
  });

  test("/coppice restore all: everything comes back", async () => {
    const count = sent().length;
    await pi.run(["/coppice restore all", until(38)], "--continue");
    const restored = resultsOf(sent()[count] as Received);
    expect(restored.get("call_1")).toContain("module-1 line 39: const total39");
    expect([...restored.values()].filter((text) => MARKER.test(text))).toEqual([]);
    expect(provider.refused).toEqual([]);
  });
}
