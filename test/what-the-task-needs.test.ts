import { describe, expect, test } from "vitest";
import { createPruner } from "../src/pruner.ts";
import { Conversation, textOf } from "./conversation.ts";

/** Plays a session request by request, with the default settings. */
class Session {
  readonly conversation: Conversation;
  readonly #pruner = createPruner({ prefixTokens: 20_000 });
  #shown: readonly string[] = [];
  #steps = 0;

  constructor(prompt: string) {
    this.conversation = new Conversation(prompt);
  }

  call(tool: string, input: unknown, output: string, pause?: number): this {
    const { messages, meta, time } = this.conversation;
    const pruned = this.#pruner.prune(messages, { meta, at: time, model: "claude-opus-4-5" });
    this.#shown = pruned.messages.map((message) => JSON.stringify(message));
    this.conversation.call(tool, input, output, pause === undefined ? {} : { pause });
    this.#steps++;
    return this;
  }

  read(path: string, text: string): this {
    return this.call("read", { filePath: path }, text);
  }

  /** Replaces a line. Returns whether the request that the edit answers shows it. */
  edit(path: string, line: string): boolean {
    this.call("edit", { filePath: path, oldString: line, newString: `${line} // changed` }, "ok");
    return this.#shown.some((message) => message.includes(JSON.stringify(line).slice(1, -1)));
  }

  /** The agent looks at other files. The last call may take so long that the cache expires. */
  lookAround(steps: number, pause?: number): this {
    for (let i = 1; i <= steps; i++) {
      const output = textOf(900, 1_000 + this.#steps);
      this.call("bash", { command: `npm run check ${this.#steps}` }, output, i === steps ? pause : undefined);
    }
    return this;
  }

  get cuts(): number {
    const { messages, meta, time } = this.conversation;
    return this.#pruner.prune(messages, { meta, at: time, model: "claude-opus-4-5" }).report.edits.length;
  }
}

/** A pause after which everything is written again, so a cut is free. */
const COLD = 600_000;

/** A line in the middle of the file with this number, and nowhere else. */
function lineOf(file: number, place: number): string {
  return textOf(100_000, file).split("\n")[place] ?? "";
}

describe("lines that are edited next are there", () => {
  test("plan, read, implement: files of the plan stay until it is their turn", () => {
    const files = Array.from({ length: 9 }, (_, i) => `src/shared/part${i}.ts`);
    const session = new Session(
      `Implement this plan:\n${files.map((path) => `- change ${path}`).join("\n")}`,
    );
    for (const [i, path] of files.entries()) session.read(path, textOf(2_500, i));
    const found = files.map((path, i) => {
      const isThere = session.edit(path, lineOf(i, 40));
      session.lookAround(4, i === 6 ? COLD : undefined);
      return isThere;
    });
    expect(found).toEqual(files.map(() => true));
    expect(session.cuts, "what was looked at beside them went").toBeGreaterThan(10);
  });

  test("a long file stays through a series of edits", () => {
    const session = new Session("Rename the helper in the engine.").lookAround(6);
    session.read("src/engine.ts", textOf(9_000, 1));
    const found = Array.from({ length: 9 }, (_, i) => {
      const isThere = session.edit("src/engine.ts", lineOf(1, 60 * i + 5));
      if (i % 3 === 2) session.lookAround(1);
      return isThere;
    });
    expect(found).toEqual(found.map(() => true));
  });

  test("read, look around, edit: a function stays for ten steps", () => {
    const session = new Session("Why is the total wrong?").lookAround(6);
    session.read("src/total.ts", textOf(600, 1)).lookAround(10, COLD);
    expect(session.edit("src/total.ts", lineOf(1, 20))).toBe(true);
  });

  test("an edit that failed has not changed the file, even if the client reports a success", () => {
    const session = new Session("Change src/total.ts, then check everything.").lookAround(6);
    session.read("src/total.ts", textOf(3_000, 1));
    const failed = { command: "str_replace", path: "src/total.ts", old_str: "a line", new_str: "another" };
    const output =
      "ERROR:\nNo replacement was performed. Multiple occurrences of old_str `a line` in lines [3, 9].";
    session.call("str_replace_editor", failed, output).lookAround(28);
    expect(session.edit("src/total.ts", lineOf(1, 30))).toBe(true);
  });
});

describe("text that the task does not need is cut", () => {
  test("a view that nobody names, once it is old", () => {
    const session = new Session("Why is the total wrong?").lookAround(6);
    session.read("src/other.ts", textOf(3_000, 1)).lookAround(90);
    expect(session.edit("src/other.ts", lineOf(1, 20))).toBe(false);
  });

  test("a view whose file was changed and left", () => {
    const session = new Session("Change src/total.ts, then check everything.").lookAround(6);
    session.read("src/total.ts", textOf(3_000, 1));
    expect(session.edit("src/total.ts", lineOf(1, 20))).toBe(true);
    session.lookAround(60);
    expect(session.edit("src/total.ts", lineOf(1, 30))).toBe(false);
  });
});
