import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MessageBench } from "../../src/edits/message-bench.ts";
import { matchTasks } from "../../src/facts/match-tasks.ts";
import type { TodoTask } from "../../src/facts/todo-list.ts";
import type { TodoItem } from "../../src/tool-kinds/tool-use.ts";
import { Conversation } from "../conversation.ts";
import { play, type Use } from "../play.ts";

const write = (...todos: readonly (readonly [text: string, status: string, id?: string])[]): Use => [
  "todowrite",
  { todos: todos.map(([content, status, id]) => ({ content, status, ...(id && { id }) })) },
];
const work: Use = ["bash", { command: "npm test" }];
const read: Use = ["todoread", {}];

/** Each task as `text status since`. */
const listAfter = (...steps: readonly (readonly Use[])[]) =>
  play(steps).facts.todoList.tasks.map(({ text, status, since }) =>
    [text, status, since].filter((each) => each !== undefined).join(" "),
  );

describe("a task's clock", () => {
  test.each<[string, readonly (readonly Use[])[], readonly string[]]>([
    [
      "starts when the task is first in progress",
      [[work], [write(["A", "in_progress"])]],
      ["A in_progress 2"],
    ],
    [
      "starts when it becomes so, not when it was written down",
      [[write(["A", "pending"])], [work], [write(["A", "in_progress"])]],
      ["A in_progress 3"],
    ],
    [
      "runs on through other writes and reads",
      [[write(["A", "in_progress"])], [read], [write(["A", "in_progress"], ["B", "pending"])]],
      ["A in_progress 1", "B pending"],
    ],
    [
      "survives an edit of the text: same id",
      [
        [write(["A", "in_progress", "7"])],
        [write(["Z", "pending", "8"], ["Quite another", "in_progress", "7"])],
      ],
      ["Z pending", "Quite another in_progress 1"],
    ],
    [
      "survives an edit of the text: same position, a word in common",
      [[write(["Fix parser", "in_progress"])], [write(["Fix the parser and the lexer", "in_progress"])]],
      ["Fix the parser and the lexer in_progress 1"],
    ],
    [
      "survives an edit of the text: same position, the rest of the list as it was",
      [
        [write(["Fix it", "in_progress"], ["Docs", "pending"])],
        [write(["Repair", "in_progress"], ["Docs", "pending"])],
      ],
      ["Repair in_progress 1", "Docs pending"],
    ],
    [
      "survives a move: same text",
      [
        [write(["A", "in_progress"], ["B", "pending"])],
        [write(["New", "pending"], ["B", "pending"], ["A", "in_progress"])],
      ],
      ["New pending", "B pending", "A in_progress 1"],
    ],
    [
      "survives new ids: same text",
      [[write(["A", "in_progress", "1"])], [write(["A", "in_progress", "x1"])]],
      ["A in_progress 1"],
    ],
    [
      "is not handed on to another list",
      [[write(["Fix parser", "in_progress"])], [write(["Publish release", "in_progress"])]],
      ["Publish release in_progress 2"],
    ],
    [
      "is not handed on to another id in the same place",
      [[write(["Fix parser", "in_progress", "1"])], [write(["Fix parser tests", "in_progress", "2"])]],
      ["Fix parser tests in_progress 2"],
    ],
    [
      "stops when the task is completed, and starts anew",
      [[write(["A", "in_progress"])], [write(["A", "completed"])], [write(["A", "in_progress"])]],
      ["A in_progress 3"],
    ],
    [
      "stops when the task is cancelled",
      [[write(["A", "in_progress"])], [write(["A", "cancelled"])]],
      ["A cancelled"],
    ],
    [
      "two tasks with the same text have separate times",
      [[write(["A", "in_progress"], ["A", "pending"])], [write(["A", "in_progress"], ["A", "in_progress"])]],
      ["A in_progress 1", "A in_progress 2"],
    ],
    [
      "ignores a write that failed",
      [[write(["A", "in_progress"])], [["todowrite", { todos: [] }, "error"]]],
      ["A in_progress 1"],
    ],
  ])("%s", (_, steps, expected) => {
    expect(listAfter(...steps)).toEqual(expected);
  });
});

test("the step of the last write: reads, failures and other tools are ignored", () => {
  const writtenAt = (...steps: readonly (readonly Use[])[]) => play(steps).facts.todoList.writtenAt;
  expect(writtenAt([work], [read])).toBeUndefined();
  expect(writtenAt([["todowrite", { todos: [] }, "error"]])).toBeUndefined();
  expect(writtenAt([work], [write()], [read], [work])).toBe(2);
});

test("a list kept item by item: ids are read from the answers", () => {
  const { messages } = new Conversation()
    .call("TaskCreate", { subject: "Fix" }, "Task #1 created successfully: Fix")
    .call("TaskCreate", { subject: "Docs" }, "Task #2 created successfully: Docs")
    .call("TaskUpdate", { taskId: "2", status: "in_progress" }, "Updated task #2 status")
    .call("TaskUpdate", { taskId: "2", subject: "All docs" }, "Updated task #2 subject")
    .call("TaskUpdate", { taskId: "9", status: "completed" }, "Updated task #9 status")
    .call("TaskCreate", { subject: "Again" }, "Task #1 created successfully: Again");
  expect(new MessageBench(messages).facts.todoList.tasks).toEqual([
    { id: "1", text: "Fix", status: "pending" },
    { id: "2", text: "All docs", status: "in_progress", since: 3 },
    { id: "9", text: "task 9", status: "completed" },
    { text: "Again", status: "pending" },
  ]);
});

test("a rollback undoes the list, whole and item by item", () => {
  const marks: number[] = [];
  const seen: unknown[] = [];
  const { transcript, facts } = play(
    [
      [write(["A", "in_progress", "1"])],
      [["TaskUpdate", { taskId: "1", status: "completed" }]],
      [["TaskUpdate", { taskId: "2", subject: "B" }]],
      [write()],
    ],
    (_, { todoList, transcript: { undoLog } }) => {
      marks.push(undoLog.mark());
      seen.push(structuredClone([todoList.tasks, todoList.writtenAt]));
    },
  );
  for (const [i, mark] of marks.toReversed().entries()) {
    transcript.rollback(mark);
    expect([facts.todoList.tasks, facts.todoList.writtenAt]).toEqual(seen.at(-1 - i));
  }
  expect(seen).toHaveLength(4);
});

test("no old task is matched twice, and an unchanged list is matched whole", () => {
  const item = fc.record<TodoItem>(
    {
      id: fc.constantFrom("1", "2", "3"),
      text: fc.constantFrom("Fix parser", "Fix lexer", "Docs", ""),
      status: fc.constantFrom("pending", "in_progress"),
    },
    { requiredKeys: ["status"] },
  );
  const toTask = ({ text = "", status = "pending", ...rest }: TodoItem): TodoTask => ({
    ...rest,
    text,
    status,
  });
  fc.assert(
    fc.property(fc.array(item), fc.array(item), (before, after) => {
      const tasks = before.map(toTask);
      const found = matchTasks(tasks, after).filter((task) => task !== undefined);
      expect(new Set(found).size).toBe(found.length);
      expect(new Set(matchTasks(tasks, tasks))).toEqual(new Set(tasks));
    }),
  );
});
