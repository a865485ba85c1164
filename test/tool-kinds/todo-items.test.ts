import { expect, test } from "vitest";
import { readNewId } from "../../src/tool-kinds/todo-items.ts";
import { createToolKinds } from "../../src/tool-kinds/tool-kinds.ts";
import type { TodoItem } from "../../src/tool-kinds/tool-use.ts";

const kinds = createToolKinds();

test.each<[string, unknown, readonly TodoItem[] | undefined]>([
  [
    "todowrite",
    { todos: [{ id: "1", content: "Fix", status: "in_progress", priority: "high" }] },
    [{ id: "1", text: "Fix", status: "in_progress" }],
  ],
  [
    "TodoWrite",
    { todos: [{ content: "Fix", status: "completed", activeForm: "Fixing" }] },
    [{ text: "Fix", status: "completed" }],
  ],
  ["update_plan", { plan: [{ step: "Fix", status: "pending" }] }, [{ text: "Fix", status: "pending" }]],
  [
    "write_todos",
    { todos: [{ description: "Fix", status: "cancelled" }] },
    [{ text: "Fix", status: "cancelled" }],
  ],
  [
    "set_todo_list",
    { todos: [{ title: "Fix", status: "In Progress" }] },
    [{ text: "Fix", status: "in_progress" }],
  ],
  [
    "manage_todo_list",
    { operation: "write", todoList: [{ id: 1, title: "Fix", status: "not-started" }] },
    [{ id: "1", text: "Fix", status: "pending" }],
  ],
  [
    "task_tracker",
    { command: "plan", task_list: [{ id: "1", title: "Fix", status: "done" }] },
    [{ id: "1", text: "Fix", status: "completed" }],
  ],
  [
    "update_todo_list",
    { todos: "[x] A\n[-] B\n[ ] C\n\nnot an item" },
    [
      { text: "A", status: "completed" },
      { text: "B", status: "in_progress" },
      { text: "C", status: "pending" },
    ],
  ],
  ["todowrite", { todos: ["Fix", 7, null] }, [{ text: "Fix", status: "pending" }]],
  ["todowrite", { todos: [{ content: "Fix", status: "whatever" }] }, [{ text: "Fix", status: "pending" }]],
  ["todowrite", { todos: [] }, []],
  ["TaskCreate", { subject: "Fix", description: "All of it" }, [{ text: "Fix" }]],
  ["TaskUpdate", { taskId: "1", status: "in_progress" }, [{ id: "1", status: "in_progress" }]],
  ["TaskUpdate", { taskId: "1", status: "deleted" }, [{ id: "1", status: "cancelled" }]],
  ["todo_complete", { task_id: 1 }, [{ id: "1", status: "completed" }]],
  ["todo_remove", { task_id: 1 }, [{ id: "1", status: "cancelled" }]],
  // Reads, and values that are not a list.
  ["todoread", {}, undefined],
  ["TaskList", {}, undefined],
  ["TaskGet", { taskId: "1" }, undefined],
  ["manage_todo_list", { operation: "read" }, undefined],
  ["todowrite", { todos: "none of it" }, undefined],
  ["todowrite", { todos: { length: 2 } }, undefined],
  ["todowrite", undefined, undefined],
  ["read", { filePath: "a.ts", todos: [{ content: "x" }] }, undefined],
])("%s %j", (tool, input, expected) => {
  expect(kinds.describe(tool, input).todos).toEqual(expected);
});

test("a user's own tool says where its list stands", () => {
  const own = createToolKinds([{ names: ["steps"], kind: "todo", todos: "open" }]);
  expect(own.describe("steps", { open: ["Fix"] }).todos).toEqual([{ text: "Fix", status: "pending" }]);
});

test.each<[string, string | undefined]>([
  ["Task #3 created successfully: Fix", "3"],
  ['{"id": "a7", "title": "Fix"}', "a7"],
  ["Added todo (id: t-2)", "t-2"],
  ["Added", undefined],
  ["The idea was added", undefined],
])("the id in %j is %s", (answer, id) => {
  expect(readNewId(answer)).toBe(id);
});
