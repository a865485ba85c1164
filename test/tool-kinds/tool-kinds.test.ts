import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ToolKindEntry } from "../../src/tool-kinds/tool-kind-entry.ts";
import { createToolKinds } from "../../src/tool-kinds/tool-kinds.ts";
import type { ToolKind } from "../../src/tool-kinds/tool-use.ts";

const kinds = createToolKinds();

describe("unknown names", () => {
  test.each<[string, ToolKind]>([
    ["acme_create_doc", "write"],
    ["writeThing", "write"],
    ["acme-edit", "edit"],
    ["modify_row", "edit"],
    ["find_and_replace", "edit"],
    ["acmePatchThing", "edit"],
    ["remove_user", "delete"],
    ["delete_branch", "delete"],
    ["get_user_details", "read"],
    ["view_thing", "read"],
    ["list_issues", "list"],
    ["search_direct_flight", "search"],
    ["brave_web_search", "web-search"],
    ["run_tests", "shell"],
    ["open_terminal", "shell"],
    ["fetch_weather", "fetch"],
    ["get_todo", "read"],
    ["thread_info", "other"],
    ["spreadsheet", "other"],
    ["getaway", "other"],
    ["cancel_reservation", "other"],
    ["", "other"],
    ["__proto__", "other"],
    ["constructor", "other"],
  ])("%s is %s", (tool, kind) => {
    expect(kinds.describe(tool, {}).kind).toBe(kind);
  });

  test("have their files under the usual names", () => {
    expect(kinds.describe("acme_read_doc", { path: "./a.md" }).files).toEqual([
      { path: "acme://a.md", operation: "read" },
    ]);
    expect(kinds.describe("readDoc", { path: "./a.md" }).files).toEqual([
      { path: "a.md", operation: "read" },
    ]);
  });

  test("have no files here if the input names another place", () => {
    expect(kinds.describe("acme_read_doc", { path: "a.md", bucket: "x" }).files).toEqual([]);
  });

  test("a web address is not a path", () => {
    expect(kinds.describe("acme_read_resource", { uri: "https://a.b/c" }).files).toEqual([]);
    expect(kinds.describe("acme_read_resource", { uri: "file:///c" }).files).toEqual([
      { path: "acme:///c", operation: "read" },
    ]);
  });
});

describe("names", () => {
  test.each([
    ["mcp__files__read_file", "read_file"],
    ["mcp__my_files__Read_File", "read_file"],
    ["mcp__x__a__b", "a__b"],
    ["READ", "read"],
    ["server_read_file", "server_read_file"],
  ])("%s is called %s", (tool, name) => {
    expect(kinds.describe(tool, {}).name).toBe(name);
  });

  test("an OpenCode MCP name is split only if the user says so", () => {
    const input = { pattern: "x", path: "src" };
    expect(kinds.describe("files_ls", input).kind).toBe("other");
    const own = createToolKinds([{ names: ["files_ls"], kind: "list" }]);
    expect(own.describe("files_ls", input)).toMatchObject({ kind: "list", query: "x", directory: "src" });
  });
});

describe("the user's entries", () => {
  const entries: readonly ToolKindEntry[] = [
    {
      names: ["peek"],
      kind: "read",
      path: "where",
      range: { from: "first", to: "last" },
      identifying: "why",
    },
    { names: ["acme_*"], kind: "fetch", url: ["address", "link"] },
    { names: ["acme_save", "read"], kind: "write", content: "body" },
    { names: ["mcp__acme__*"], kind: "skill" },
    { names: ["sh_tool"], kind: "shell", command: "line", directory: [] },
  ];
  const own = createToolKinds(entries);

  test("name the fields", () => {
    expect(own.describe("Peek", { where: "a.ts", first: 2, last: 3, why: "x", more: "y" })).toEqual({
      kind: "read",
      name: "peek",
      files: [{ path: "a.ts", operation: "read", range: { from: 2, to: 3 } }],
      identifying: ["where", "first", "last", "why"],
    });
  });

  test("may be globs, and the first that matches wins", () => {
    expect(own.describe("ACME_save", { link: "https://a.b" })).toMatchObject({
      kind: "fetch",
      url: "https://a.b",
    });
  });

  test("have precedence over the built-in ones, and the usual fields of their kind", () => {
    expect(own.describe("read", { path: "a.ts", body: "x" })).toMatchObject({
      kind: "write",
      content: "x",
      files: [{ path: "a.ts", operation: "write" }],
    });
  });

  test("see the whole name before the bare one", () => {
    expect(own.describe("mcp__acme__read", {}).kind).toBe("skill");
    expect(own.describe("mcp__other__read", {}).kind).toBe("write");
    expect(own.describe("mcp__other__acme_load", {}).kind).toBe("fetch");
  });

  test("turn a field off by naming none", () => {
    const use = own.describe("sh_tool", { line: "ls", directory: "src" });
    expect(use).toMatchObject({ kind: "shell", command: "ls", identifying: ["line"] });
    expect(use.directory).toBeUndefined();
  });
});

describe("the working directory", () => {
  test.each(["a.ts", "./a.ts", "/w/a.ts", "x/../a.ts", "file:///w/a.ts"])("%s is one file", (path) => {
    expect(kinds.describe("read", { path }, { directory: "/w/" }).files[0]?.path).toBe("/w/a.ts");
    const { files } = kinds.describe(
      "bash",
      { command: `cat ${path.replace("file://", "")}` },
      { directory: "/w" },
    );
    expect(files[0]?.path).toBe("/w/a.ts");
  });

  test("a call without one is in it", () => {
    const options = { directory: "/w" };
    expect(kinds.describe("bash", { command: "ls" }, options).directory).toBe("/w");
    expect(kinds.describe("bash", { command: "ls", workdir: "src" }, options).directory).toBe("/w/src");
    expect(kinds.describe("ls", {}, options).directory).toBe("/w");
    expect(kinds.describe("websearch", { query: "x" }, options).directory).toBeUndefined();
  });
});

test("only a plain request counts as a fetch of its url", () => {
  expect(kinds.describe("fetch", { url: "https://a.b", method: "POST" }).url).toBeUndefined();
  expect(kinds.describe("fetch", { url: "https://a.b", method: "get" }).url).toBe("https://a.b");
});

describe("any input", () => {
  const cyclic: Record<string, unknown> = { path: "a.ts" };
  cyclic.self = cyclic;
  cyclic.files = [cyclic];
  const hostile = {
    get path(): string {
      throw new Error("no");
    },
  };

  test.each([
    ["undefined", undefined],
    ["null", null],
    ["a number", 5],
    ["a list", [1, "x"]],
    ["wrong types", { path: 5, offset: "x", command: { a: 1 }, url: [] }],
    ["a getter that throws", hostile],
  ])("%s: the kind by the name, no files", (_, input) => {
    expect(kinds.describe("read", input)).toMatchObject({ kind: "read", name: "read", files: [] });
  });

  test("cycles do no harm", () => {
    expect(kinds.describe("read", cyclic).files).toEqual([{ path: "a.ts", operation: "read" }]);
    expect(kinds.describe("list", cyclic).operands).toContain("^");
  });

  const tool = fc.oneof(
    fc.constantFrom(
      "read",
      "Write",
      "edit",
      "bash",
      "apply_patch",
      "ls",
      "grep",
      "webfetch",
      "todowrite",
      "mcp__a__b",
    ),
    fc.string(),
  );
  const field = fc.constantFrom(
    "path",
    "filePath",
    "command",
    "cmd",
    "url",
    "query",
    "files",
    "offset",
    "view_range",
    "insert_line",
    "edits",
  );
  const input = fc.oneof(fc.anything(), fc.dictionary(field, fc.anything({ maxDepth: 2 })), fc.string());

  test.each<[object, boolean]>([
    [{ path: "a", line: 0 }, true],
    [{ path: "a", start_line: "3", end_line: "9" }, true],
    [{ path: "a", line_range: [3, 9] }, true],
    [
      {
        edits: [
          { path: "a", old: "x" },
          { path: "b", startLine: 4 },
        ],
      },
      true,
    ],
    [{ path: "a", lines: ["first", "second", "third"] }, false],
    [{ path: "a", line: "const a = 1;" }, false],
    [{ path: "a", limit: 4, offset: 2 }, false],
  ])("an edit with %j is by line: %s", (value, byLine) => {
    expect(kinds.describe("edit", value).byLine === true).toBe(byLine);
  });

  test("describing is total and pure", () => {
    fc.assert(
      fc.property(tool, input, (name, value) => {
        const use = kinds.describe(name, value);
        expect(kinds.describe(name, value)).toEqual(use);
        for (const { path } of use.files) expect(path).not.toBe("");
        const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
        expect(keys).toEqual(expect.arrayContaining([...use.identifying]));
      }),
      { numRuns: 500 },
    );
  });
});
