import { describe, expect, test } from "vitest";
import { MessageBench } from "../../src/edits/message-bench.ts";
import { watchWork } from "../../src/strategies/replacing/watch-work.ts";
import { Conversation } from "../conversation.ts";

const VIEW = "export function applyDiscountRate(order) { return order; }";

/** The state of the newest view of `src/shared/engine.ts`. */
function stateOf(conversation: Conversation): string | undefined {
  const { facts } = new MessageBench(conversation.messages);
  const view = facts.files.views("src/shared/engine.ts").at(-1);
  return view && watchWork(facts, view).work?.();
}

const read = (conversation: Conversation) =>
  conversation.call("read", { filePath: "src/shared/engine.ts" }, VIEW);
const edit = (conversation: Conversation, path = "src/shared/engine.ts") =>
  conversation.call("edit", { filePath: path, oldString: "a", newString: "b" }, "ok");
function rest(conversation: Conversation, steps: number): Conversation {
  for (let i = 0; i < steps; i++) conversation.call("bash", { command: `echo ${i}` }, "ok");
  return conversation;
}

describe("planned: the task names the file, and it was not changed since", () => {
  test.each([
    "Change engine.ts",
    "Change src/shared/engine.ts",
    "Implement:\n1. `shared/engine.ts`\n2. main.ts",
  ])("by a message: %s", (prompt) => {
    expect(stateOf(rest(read(new Conversation(prompt)), 30))).toBe("planned");
  });

  test("by an open todo, until it is done", () => {
    const todo = (conversation: Conversation, status: string) =>
      conversation.call("todowrite", { todos: [{ content: "Rework engine.ts", status }] }, "ok");
    const conversation = todo(read(new Conversation("Go.")), "pending");
    expect(stateOf(conversation)).toBe("planned");
    expect(stateOf(todo(conversation, "completed"))).toBe("unnamed");
  });

  test("by a plan of the agent's", () => {
    const conversation = read(new Conversation("Go.")).call(
      "ExitPlanMode",
      { plan: "1. engine.ts" },
      "approved",
    );
    expect(stateOf(conversation)).toBe("planned");
  });

  test("a message that names no file continues the task", () => {
    expect(stateOf(read(new Conversation("Change engine.ts")).say("Go on, please."))).toBe("planned");
  });
});

describe("mentioned: named more loosely", () => {
  test("by a message of an earlier task", () => {
    expect(stateOf(read(new Conversation("Change engine.ts")).say("Now change main.ts"))).toBe("mentioned");
  });

  test("read for an earlier task, and named again", () => {
    expect(stateOf(read(new Conversation("Change main.ts")).say("Now engine.ts"))).toBe("mentioned");
  });

  test("by its folder", () => {
    expect(stateOf(read(new Conversation("Look into src/shared")))).toBe("mentioned");
  });

  test("by a symbol that nothing else shows", () => {
    expect(stateOf(read(new Conversation("What does applyDiscountRate give?")))).toBe("mentioned");
  });

  test("by the agent's announcement, for ten steps", () => {
    const said = read(new Conversation("Go.")).answer("I will change engine.ts next.").say("Yes.");
    expect(stateOf(rest(said, 9))).toBe("mentioned");
    expect(stateOf(rest(said, 9))).toBe("unnamed");
  });
});

test("unnamed: nobody names it", () => {
  expect(stateOf(edit(read(new Conversation("Change main.ts")), "main.ts"))).toBe("unnamed");
});

test("changing, resting, left: by the steps since the last change", () => {
  const conversation = edit(read(new Conversation("Change engine.ts")));
  expect(stateOf(rest(conversation, 3))).toBe("changing");
  expect(stateOf(rest(conversation, 1))).toBe("resting");
  expect(stateOf(rest(conversation, 7))).toBe("left");
  expect(stateOf(edit(conversation)), "changed again").toBe("changing");
  expect(stateOf(read(conversation)), "a newer view").toBe("planned");
});
