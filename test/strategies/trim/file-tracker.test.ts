import { describe, expect, test } from "vitest";
import { FileTracker } from "../../../src/strategies/trim/file-tracker.ts";
import { Conversation } from "../../conversation.ts";

test("keeps the last access, and once modified is always modified", () => {
  const tracker = new FileTracker();
  tracker.trackAccess("./src/a.ts", 1, "read", "one\ntwo\n");
  expect(tracker.wasModified("src/a.ts")).toBe(false);
  tracker.trackAccess("src/a.ts", 2, "edit");
  tracker.trackAccess("src/a.ts", 4, "read", `${"x".repeat(199)}👩 and more`);
  tracker.trackAccess("b.ts", 3, "create", "");
  expect(tracker.wasModified("src/a.ts")).toBe(true);
  expect(tracker.getModifiedFiles()).toEqual(new Set(["src/a.ts", "b.ts"]));
  expect(tracker.getRecentFiles(5, 2)).toEqual([
    {
      path: "src/a.ts",
      lastAccessStep: 4,
      wasModified: true,
      operation: "read",
      contentPreview: "x".repeat(199),
      lineCount: 1,
    },
    {
      path: "b.ts",
      lastAccessStep: 3,
      wasModified: true,
      operation: "create",
      contentPreview: "",
      lineCount: 0,
    },
  ]);
});

test("recent files come newest first; stale is older than that, and what nobody knows", () => {
  const tracker = new FileTracker();
  for (const [path, step] of [
    ["a", 1],
    ["b", 5],
    ["c", 3],
    ["d", 5],
  ] as const)
    tracker.trackAccess(path, step, "read");
  expect(tracker.getRecentFiles(6, 3).map(({ path }) => path)).toEqual(["d", "b", "c"]);
  expect(tracker.isStale("c", 6, 3)).toBe(false);
  expect(tracker.isStale("a", 6, 3)).toBe(true);
  expect(tracker.isStale("unknown", 6, 3)).toBe(true);
});

describe("from messages", () => {
  test("paths and operations are those of the calls' arguments", () => {
    const { messages } = new Conversation()
      .call("read", { filePath: "src/a.ts" }, "File: other.ts\nx")
      .call("write", { filePath: "new.ts", content: "1\n2\n" }, "ok")
      .call("str_replace_editor", { command: "str_replace", path: "b.ts", old_str: "x", new_str: "y" }, "ok")
      .call("delete_file", { path: "c.ts" }, "ok")
      .call("bash", { command: "cat d.ts" }, "text")
      .call("bash", { command: "npm test" }, "Path: e.ts");
    const files = FileTracker.fromMessages(messages).getRecentFiles(6, 9);
    expect(files.map(({ path, operation, lastAccessStep }) => [path, operation, lastAccessStep])).toEqual([
      ["d.ts", "read", 5],
      ["c.ts", "delete", 4],
      ["b.ts", "edit", 3],
      ["new.ts", "create", 2],
      ["src/a.ts", "read", 1],
    ]);
    expect(files[3]).toMatchObject({ contentPreview: "1\n2\n", lineCount: 2 });
  });

  test("a failed call did nothing", () => {
    const messages = [
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "t", name: "edit", input: { file_path: "a.ts" } }],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t", is_error: true, content: "no such text" }],
      },
    ];
    expect(FileTracker.fromMessages(messages).getModifiedFiles()).toEqual(new Set());
  });

  test.each<[string, string | undefined, string, string, string]>([
    ["JSON with path", "read_file", '{"path":"a.ts"}', "a.ts", "read"],
    ["JSON with file", "update_doc_edit", '{"file":"a.ts"}', "a.ts", "edit"],
    ["JSON with filePath", "createThing", '{"filePath":"a.ts"}', "a.ts", "create"],
    ["a File: line", "remove_it", "done\nFile: a.ts", "a.ts", "delete"],
    ["a Path: line, and no name", undefined, "Path: `a.ts`\nx", "a.ts", "read"],
    ["a name that only looks like one", "spreadsheet_thread", "File: a.ts", "a.ts", "read"],
  ])("without a call the result itself tells: %s", (_, name, content, path, operation) => {
    const messages = [
      { role: "user", content: "go" },
      { role: "tool", tool_call_id: "x", ...(name && { name }), content },
    ];
    const [file] = FileTracker.fromMessages(messages).getRecentFiles(1, 9);
    expect(file).toMatchObject({ path, operation });
  });

  test("without call and path it counts for the tracked file whose name stands in it", () => {
    const { messages } = new Conversation().call("read", { filePath: "src/a.ts" }, "x");
    const tracked = (content: string) =>
      FileTracker.fromMessages([
        ...messages,
        { role: "assistant", content: "hm" },
        { role: "tool", tool_call_id: "x", name: "patch_it", content },
      ]).getModifiedFiles();
    expect(tracked("Patched a.ts.")).toEqual(new Set(["src/a.ts"]));
    expect(tracked("Patched data.ts")).toEqual(new Set());
  });
});
