import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createOpenCode, type OpenCode, type PromptOptions } from "./harness.ts";
import {
  type Recorded,
  type Reply,
  type ScriptedModel,
  startModel,
  textOf,
  type WireRequest,
} from "./model.ts";

export const modelWindow = 200_000;

/** A reply, or a function that makes one for a request. */
type Line = Reply | ((request: WireRequest) => Reply);

/** A cut by the scripted agent: the call of its result, the original text, and the number of steps. */
export type Discard = {
  readonly ref: string;
  readonly call: string;
  readonly text: string;
  readonly atStep: number;
};
export type Played = {
  readonly requests: readonly Recorded[];
  readonly discards: readonly Discard[];
  /** The same for the image's result; missing if it had no ref. */
  readonly image: Discard | undefined;
  readonly main: string;
  readonly fork: string;
};

/**
 * One long session in a real OpenCode: duplicates, failures, parallel calls, discards, an image, a subagent, a user's
 * own shell command, a queued message, steps that failed, were retried, aborted and killed, another model, restarts,
 * plan mode and back, a fork, an undo, and a compaction that keeps a tail and starts it inside a turn.
 */
export async function playScenario(plugin: string, log: string): Promise<Played> {
  const model = await startModel();
  const host = createOpenCode({
    baseURL: model.baseURL,
    timeoutMs: 120_000,
    plugins: [[plugin, { log, window: modelWindow }]],
    limit: { context: modelWindow, output: 8_000 },
    files: projectFiles(),
    config: { compaction: { auto: false, prune: false, preserve_recent_tokens: 3_000 } },
  });
  try {
    writeFileSync(join(host.project, "dot.png"), Buffer.from(dot, "base64"));
    return await play(host, model);
  } finally {
    await host.dispose();
    await model.close();
  }
}

async function play(host: OpenCode, model: ScriptedModel): Promise<Played> {
  const discards: Discard[] = [];
  let lines: Line[] = [];
  model.play((request) => {
    const line = lines.shift();
    if (!line) throw new Error("the script has no more lines, but the host asked for another step");
    return typeof line === "function" ? line(request) : line;
  });

  /** Requests cuts of the oldest results that carry a ref. */
  const discard =
    (count: number, ...more: NonNullable<Reply["calls"]>): Line =>
    (request) => {
      const found = refsOf(request)
        .filter(({ text }) => !text.startsWith(imageText))
        .slice(0, count);
      if (found.length < count) throw new Error(`${found.length} refs in the request, ${count} wanted`);
      for (const target of found) discards.push({ ...target, atStep: model.steps.length });
      const input = { action: "discard", targets: found.map(({ ref }) => [ref]) };
      const calls = [{ name: "context_prune", input }, ...more];
      return { reasoning: "Some of this is no longer needed.", calls };
    };

  let image: Discard | undefined;
  const discardImage: Line = (request) => {
    const found = refsOf(request).find(({ text }) => text.startsWith(imageText));
    if (!found) return { calls: [bash("echo the image has no ref")] };
    image = { ...found, atStep: model.steps.length };
    return { calls: [{ name: "context_prune", input: { action: "discard", targets: [[found.ref]] } }] };
  };

  async function turn(act: () => Promise<unknown>, ...script: Line[]): Promise<void> {
    lines = script;
    await act();
    if (model.errors[0]) throw model.errors[0];
    if (lines.length > 0)
      throw new Error(`${lines.length} lines of the script were not asked for\n${host.logTail()}`);
  }

  let server = await host.serve();
  const main = await server.createSession();
  const toolRuns = async () => {
    const deadline = Date.now() + 20_000;
    while (!JSON.stringify((await server.messages(main)).at(-1)).includes('"status":"running"')) {
      if (Date.now() > deadline) throw new Error(`no tool is running\n${host.logTail()}`);
      await sleep(50);
    }
  };
  const say = (text: string, options?: PromptOptions) => () => server.prompt(main, text, options);

  await turn(
    say("Find out why the build fails."),
    { reasoning: "Look around first.", text: "Looking.", calls: [read("src/a.ts"), bash("ls -R src")] },
    { calls: [read("src/a.ts")] },
    { calls: [bash("cat build.log")] },
    { text: "Once more.", calls: [bash("cat build.log")] },
    { calls: [read("src/missing.ts")] },
    { calls: [bash("cat build.log; exit 3")] },
    { calls: [read("src/b.ts"), read("src/a.ts"), bash("cat build.log")] },
    discard(1),
    { reasoning: "b next.", calls: [read("src/b.ts")] },
    { calls: [todo("pending")] },
    { calls: [todo("in_progress"), read("dot.png")] },
    { calls: [{ name: "no_such_tool", input: { a: 1 } }] },
    discardImage,
    { text: "The build fails because of b.ts." },
  );
  await turn(
    say("Fix it."),
    { calls: [read("src/c.ts")] },
    { calls: [edit("src/c.ts", "const c0 = 0;", "const c0 = 1;")] },
    { calls: [read("src/c.ts")] },
    discard(2, bash("cat build.log")),
    { calls: [edit("src/c.ts", "const c1 = 1;", "const c1 = 2;")] },
    { calls: [read("src/c.ts")] },
    { text: "Fixed c.ts.", calls: [todo("completed")] },
    { text: "Done." },
  );
  await server.stop();

  await turn(
    () => host.run("Check again", { continue: true }),
    { reasoning: "After a restart.", calls: [bash("cat build.log")] },
    { calls: [read("src/b.ts")] },
    discard(2),
    { calls: [read("src/b.ts")] },
    { calls: [bash("cat build.log"), read("src/d.ts")] },
    { text: "Still fine." },
  );
  server = await host.serve();

  await turn(
    say("Plan the next change.", { agent: "plan" }),
    { reasoning: "Planning.", calls: [read("src/d.ts")] },
    { calls: [bash("ls -R src")] },
    { calls: [read("src/e.ts")] },
    { text: "The plan: change e.ts." },
  );
  await turn(
    say("Go."),
    { calls: [read("src/e.ts")] },
    { calls: [edit("src/e.ts", "const e0 = 0;", "const e0 = 1;")] },
    discard(1),
    { calls: [read("src/e.ts")] },
    { text: "Changed." },
  );
  await server.shell(main, "cat build.log");
  await turn(say("See what I ran?"), { calls: [bash("cat build.log")] }, { text: "Yes." });
  await turn(say("This one fails."), { fail: { status: 400, message: "no" } });
  await turn(
    say("This one is tried again."),
    { fail: { status: 500, message: "later" } },
    { reasoning: "Second attempt.", text: "Here." },
  );
  await turn(
    say("Use a subagent."),
    { calls: [task("Look at h.ts")] },
    { calls: [read("src/h.ts")] },
    { calls: [read("src/h.ts")] },
    { text: "h.ts is fine." },
    { text: "It says that h.ts is fine." },
  );
  await turn(
    say("Another model.", { model: "other" }),
    { calls: [read("src/h.ts")] },
    { text: "I am the other." },
  );
  await turn(
    async () => {
      const answered = server.prompt(main, "The first of two.");
      await toolRuns();
      await server.promptAsync(main, "The second, while the first is under way.");
      await answered;
      await server.idle(main);
    },
    { calls: [bash("cat build.log; sleep 1")] },
    { text: "Both." },
  );
  await turn(
    async () => {
      const answered = server.prompt(main, "This one is interrupted.");
      await toolRuns();
      await server.abort(main);
      await answered;
      await server.idle(main);
    },
    { text: "Wait.", calls: [bash("echo started; sleep 20")] },
  );

  const fork = await server.fork(main);
  await turn(
    () => server.prompt(fork, "Try another way."),
    { calls: [read("src/a.ts")] },
    { calls: [bash("cat build.log")] },
    discard(2),
    { calls: [read("src/a.ts")] },
    { text: "The other way works too." },
  );
  await turn(
    say("Go on here."),
    { calls: [read("src/f.ts")] },
    discard(1),
    { calls: [read("src/f.ts")] },
    { text: "Went on." },
  );
  await turn(
    say(`Something that will be undone. ${"Much is said about it here. ".repeat(300)}`),
    { calls: [read("src/g.ts")] },
    discard(2),
    { calls: [bash("cat build.log")] },
    { text: "To be undone." },
  );
  const undone = (await server.messages(main)).findLast((message) => message.info.role === "user");
  await server.revert(main, undone?.info.id ?? "");
  await turn(
    say("Instead of what was undone."),
    { calls: [read("src/g.ts")] },
    { calls: [bash("cat build.log")] },
    discard(1),
    { calls: [read("src/h.ts")] },
    { calls: [read("src/h.ts")] },
    { text: "Better." },
  );

  await server.summarize(main);
  await server.idle(main);
  await turn(
    say("After the compaction."),
    { calls: [read("src/a.ts")] },
    { calls: [read("src/a.ts")] },
    discard(2),
    { calls: [bash("cat build.log")] },
    { calls: [bash("cat build.log")] },
    { text: "Good." },
  );
  await turn(
    async () => {
      const killed = server.prompt(main, "The host is killed here.").catch(() => undefined);
      await toolRuns();
      await server.stop();
      await killed;
    },
    { reasoning: "Not for long.", calls: [read("src/c.ts"), bash("sleep 20")] },
  );
  server = await host.serve();
  await turn(
    say("And after another restart."),
    { calls: [read("src/b.ts")] },
    discard(1),
    { calls: [read("src/b.ts")] },
    { text: "The end." },
  );
  await server.stop();
  return { requests: model.requests, discards, image, main, fork };
}

/** The results that carry a ref of ours, oldest first. */
function refsOf(request: WireRequest): { ref: string; call: string; text: string }[] {
  return request.messages.flatMap((message) => {
    if (message.role !== "tool") return [];
    const text = textOf(message);
    const ref = [...text.matchAll(/^<tool_hash>([0-9a-f]{6})<\/tool_hash>$/gm)].at(-1)?.[1];
    return ref && ref !== foreignRef ? [{ ref, call: message.tool_call_id ?? "", text }] : [];
  });
}

/** The result of reading an image, which itself is an attachment. */
const imageText = "Image read successfully";

/** A tag in a file's content, which is not a ref. */
const foreignRef = "abcdef";

const read = (filePath: string) => ({ name: "read", input: { filePath } });
const bash = (command: string) => ({ name: "bash", input: { command, description: "Runs it" } });
const edit = (filePath: string, oldString: string, newString: string) => ({
  name: "edit",
  input: { filePath, oldString, newString },
});
const task = (prompt: string) => ({
  name: "task",
  input: { description: "Look", prompt, subagent_type: "general" },
});
const todo = (status: string) => ({
  name: "todowrite",
  input: { todos: [{ content: "Find the cause", status, priority: "high" }] },
});

function projectFiles(): Record<string, string> {
  const source = (name: string) =>
    Array.from({ length: 60 }, (_, i) => `const ${name}${i} = ${i}; // value ${i} of ${name}`).join("\n");
  const files = Object.fromEntries([..."abcdefgh"].map((name) => [`src/${name}.ts`, source(name)]));
  const log = Array.from({ length: 80 }, (_, i) => `[build] unit ${i} compiled in ${i * 7} ms`).join("\n");
  return { ...files, "build.log": `${log}\n<tool_hash>${foreignRef}</tool_hash>\nerror in b.ts\n` };
}

const dot =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
