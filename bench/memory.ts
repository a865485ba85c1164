/**
 * Heap that a pruner holds after a session, as JSON: what is free once the pruner is gone. In a process of its own, where
 * nothing else is collected meanwhile.
 *
 *   memory.ts STEPS TOKENS      the made session with this number of steps
 *   memory.ts FILE              the longest segment of a recorded session
 *
 * `text`: characters of the session's texts. `strings`: bytes of all strings in its messages, as the engine holds them (two for
 * each character of a string that is not Latin-1): images and signatures too. The messages themselves are not held, so
 * their strings count as the pruner's, which has to recognise them.
 */
import type { FormatName } from "../src/formats/format.ts";
import { createPruner, type Pruner } from "../src/index.ts";
import { readRecording } from "../src/recordings/files.ts";
import { leavesOf } from "./leaves-of.ts";
import { makeSession } from "./long-session.ts";

declare const Bun: { gc(force: boolean): void } | undefined;

/** The requests that the agent makes while the pruner is there; those before it are made up for in one go. */
const REQUESTS = 20;

interface Sized {
  readonly text: number;
  readonly strings: number;
}

/** Heap in use when all is collected that can be: what one collection sets free, the next one takes. */
async function readHeap(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    if (typeof Bun !== "undefined") Bun.gc(true);
    else (globalThis as { gc?: () => void }).gc?.();
    await new Promise((done) => setTimeout(done));
  }
  return process.memoryUsage().heapUsed;
}

function sumStrings(value: unknown): number {
  if (typeof value === "string") return /^[\0-\xff]*$/.test(value) ? value.length : 2 * value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, each) => sum + sumStrings(each), 0);
}

async function readMessages([first = "", tokens]: readonly string[]): Promise<{
  readonly messages: readonly unknown[];
  readonly format: FormatName;
}> {
  if (tokens !== undefined)
    return { messages: makeSession(Number(first), Number(tokens)), format: "opencode" };
  const read = await readRecording(first);
  if (!read.ok) throw new Error(read.issue.message);
  const { format, segments } = read.value;
  const longest = segments.toSorted((a, b) => b.messages.length - a.messages.length)[0];
  return { messages: longest?.messages ?? [], format };
}

async function play(pruner: Pruner, args: readonly string[]): Promise<Sized> {
  const { messages, format } = await readMessages(args);
  const request = { session: "s", model: "claude-sonnet-4-5", format };
  for (let end = Math.max(1, messages.length - REQUESTS); end <= messages.length; end++)
    pruner.prune(structuredClone(messages.slice(0, end)), request);
  const text = leavesOf({ messages, format }).reduce((sum, each) => sum + each.length, 0);
  return { text, strings: sumStrings(messages) };
}

let pruner: Pruner | undefined = createPruner({ agentTools: true });
const sized = await play(pruner, process.argv.slice(2));
if (!pruner.agentView("s")) throw new Error("the session is gone: nothing was measured");
const holding = await readHeap();
pruner = undefined;
const kept = holding - (await readHeap());
console.log(JSON.stringify({ kept, ...sized }));
