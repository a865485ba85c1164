import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { as, bash, edit, prune, read, source, todo } from "./ask.ts";
import { type Recorded, textOf, type WireMessage } from "./model.ts";
import { type Line, openStage, type Stage, type Talk } from "./stage.ts";

/* A long session as users have them: default settings, both wires, thirty steps and more. */

let stage: Stage;

beforeAll(async () => {
  const names = [..."abcdefgh"];
  stage = await openStage({
    files: Object.fromEntries(names.map((name) => [`src/${name}.ts`, source(name)])),
    env: { COPPICE_DEBUG: "true" },
  });
});

afterAll(() => stage.close());

const files = [..."abcdefgh"];

/** One step of many kinds: reads, edits, commands, todos, a discard now and then. */
function makeStep(n: number): Line {
  const file = `src/${files[n % files.length]}.ts`;
  if (n % 10 === 7) return (request) => ({ calls: [prune("discard", [[oldestRef(request.messages)]])] });
  if (n % 5 === 4) return { reasoning: `Step ${n}.`, calls: [bash(`seq 1 ${300 + n}`), bash("ls src")] };
  if (n % 6 === 3)
    return { text: `Step ${n}.`, calls: [todo(["Go on", n % 12 === 3 ? "in_progress" : "completed"])] };
  if (n % 8 === 5) return { calls: [edit(file, "// value 3 of", `// value 3 (${n}) of`)] };
  return { reasoning: `Thinking about ${file}.`, calls: [as(`read${n}`, read(file))] };
}

function oldestRef(messages: readonly WireMessage[]): string {
  const ref = /^<tool_hash>([0-9a-f]{6})<\/tool_hash>$/m.exec(messages.map(textOf).join("\n"))?.[1];
  if (!ref) throw new Error("no result carries a ref");
  return ref;
}

describe.each(["m", "claude/claude-sonnet-4-5"])("thirty steps with %s", (model) => {
  let talk: Talk;

  beforeAll(async () => {
    talk = await stage.talk();
    for (const turn of [0, 1, 2]) {
      const steps = Array.from({ length: 11 }, (_, i) => makeStep(turn * 11 + i));
      await talk.say(`Turn ${turn}.`, [...steps, { text: `Turn ${turn} is done.` }], { model });
    }
  });

  it("each request begins like the previous one, except at cuts", () => {
    let breaks = 0;
    for (const [i, request] of talk.steps.entries()) {
      const changed = findChanges(talk.steps[i - 1], request);
      for (const [before, now] of changed) {
        expect(now.role, `request ${i}: ${JSON.stringify(now).slice(0, 300)}`).not.toBe("user");
        expect(JSON.stringify(now).length, `request ${i}`).toBeLessThan(JSON.stringify(before).length);
      }
      if (changed.length > 0) breaks += 1;
    }
    expect(talk.steps.length).toBeGreaterThanOrEqual(36);
    expect(breaks).toBeGreaterThan(0);
    expect(breaks).toBeLessThanOrEqual(10);
  });

  it("no step is delayed for long", () => {
    const log = readFileSync(join(stage.host.home, ".local/share/opencode/log/coppice.log"), "utf8");
    const events = log
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { session: string; ms: number });
    const times = events.filter(({ session }) => session === talk.session).map(({ ms }) => ms);
    expect(times.length).toBe(talk.steps.length);
    expect(Math.max(...times)).toBeLessThan(1_000);
  });

  it("the context is smaller for it", () => {
    const last = talk.steps.at(-1)?.raw ?? "";
    expect(last).toMatch(/\[(?:discarded|superseded)/);
  });
});

/** The messages of a request that differ in the next one. A reminder at the very end occurs there only once. */
function findChanges(
  before: Recorded | undefined,
  now: Recorded,
): readonly (readonly [WireMessage, WireMessage])[] {
  const old = before?.body.messages ?? [];
  return old.flatMap((message, i) => {
    const next = now.body.messages[i];
    if (!next || JSON.stringify(message) === JSON.stringify(next)) return [];
    const isReminder = i === old.length - 1 && message.role === "user";
    return isReminder ? [] : [[message, next] as const];
  });
}
