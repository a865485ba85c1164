import { describe, expect, test } from "vitest";
import { createPruner } from "../../src/pruner.ts";
import { Conversation, textOf } from "../conversation.ts";

const VIEW = textOf(3_000, 1);
const COLD = 600_000;

/** A session request by request. */
class Played {
  readonly conversation = new Conversation("Why is the total wrong?");
  readonly #pruner = createPruner({ prefixTokens: 20_000 });
  #steps = 0;

  constructor() {
    this.lookAround(6).call("read", { filePath: "src/other.ts" }, VIEW).lookAround(90);
  }

  call(tool: string, input: unknown, output: string, pause = 10_000): this {
    this.look();
    this.conversation.call(tool, input, output, { pause });
    return this;
  }

  lookAround(steps: number): this {
    for (let i = 0; i < steps; i++)
      this.call("bash", { command: `npm run check ${this.#steps++}` }, textOf(900, 1_000 + this.#steps));
    return this;
  }

  /** The report of the next request. */
  look() {
    const { messages, meta, time } = this.conversation;
    return this.#pruner.prune(messages, { meta, at: time, model: "claude-opus-4-5" });
  }

  get isWhole(): boolean {
    return this.look().messages.some((message) => JSON.stringify(message).includes(JSON.stringify(VIEW)));
  }
}

const edit = { filePath: "src/other.ts", oldString: "x", newString: "y" };

describe("a view that was cut", () => {
  test("comes back when a message names its file and the cache is cold", () => {
    const played = new Played();
    expect(played.isWhole, "it was cut").toBe(false);
    played.conversation.answer("Done.").wait(COLD).say("Now change src/other.ts, please.");
    const { report } = played.look();
    expect(played.isWhole).toBe(true);
    const undone = report.edits.map((entry) => entry.edit).filter((each) => each.type === "undo");
    expect(undone.map(({ reason }) => reason)).toEqual(["its file is being worked on"]);
  });

  test("not if everything after it would have to be written again", () => {
    const played = new Played().call("read", { filePath: "src/long.ts" }, textOf(9_000, 2));
    played.conversation.answer("Done.").say("Now change src/other.ts, please.");
    expect(played.isWhole).toBe(false);
  });

  test("nor when the message names another file", () => {
    const played = new Played();
    played.conversation.answer("Done.").wait(COLD).say("Now change src/main.ts, please.");
    expect(played.isWhole).toBe(false);
  });

  test("comes back when the agent changes its file and the cache is cold", () => {
    const played = new Played().call("edit", edit, "ok", COLD);
    expect(played.isWhole).toBe(true);
  });

  test("and stays undone after a restart", () => {
    const played = new Played();
    played.conversation.answer("Done.").wait(COLD).say("Now change src/other.ts, please.");
    const live = played.look().messages;
    const { messages, meta, time } = played.conversation;
    const cold = createPruner({ prefixTokens: 20_000 }).prune(messages, {
      meta,
      at: time,
      model: "claude-opus-4-5",
    });
    expect(cold.messages).toEqual(live);
  });
});
