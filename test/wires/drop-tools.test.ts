import { describe, expect, test } from "vitest";
import { dropTools, listDroppable } from "../../src/wires/drop-tools.ts";
import { expectInProportion } from "../growth.ts";

const names = (...list: readonly string[]) => new Set(list);

describe("dropTools", () => {
  test("leaves out tools by name, with every other byte unchanged", () => {
    const body =
      '{ "model":"m",\n "tools" : [ {"name":"a","n":1.0} , {"name":"b"}, {"name":"c"} ],"messages":[ ] }';
    expect(dropTools(body, names("b"))).toBe(
      '{ "model":"m",\n "tools" : [ {"name":"a","n":1.0}, {"name":"c"} ],"messages":[ ] }',
    );
    expect(dropTools(body, names("x"))).toBe(body);
  });

  test.each([
    [
      "Chat",
      {
        tools: [
          { type: "function", function: { name: "a" } },
          { type: "function", function: { name: "b" } },
        ],
      },
    ],
    ["functions", { functions: [{ name: "a" }, { name: "b" }] }],
    ["Gemini", { tools: [{ functionDeclarations: [{ name: "a" }, { name: "b" }] }] }],
    ["Code Assist", { request: { tools: [{ functionDeclarations: [{ name: "a" }, { name: "b" }] }] } }],
    [
      "Codex",
      {
        input: [
          {
            type: "additional_tools",
            tools: [{ type: "namespace", name: "functions", tools: [{ name: "a" }, { name: "b" }] }],
          },
        ],
      },
    ],
  ])("%s", (_, body) => {
    expect(listDroppable(JSON.stringify(body))).toEqual(["a", "b"]);
    const left = dropTools(JSON.stringify(body), names("a"));
    expect(left).toBe(
      JSON.stringify(body).replace(/\{(?:"type":"function","function":\{)?"name":"a"\}\}?,/, ""),
    );
    expect(listDroppable(left)).toEqual(["b"]);
  });

  test("a group is removed if all its tools are; its name counts", () => {
    const body = {
      tools: [
        { type: "namespace", name: "mcp__words", tools: [{ type: "function", name: "look_up" }] },
        { type: "function", name: "exec" },
      ],
    };
    expect(JSON.parse(dropTools(JSON.stringify(body), names("mcp__words__look_up")))).toEqual({
      tools: [{ type: "function", name: "exec" }],
    });
  });

  test("if no tool would be left, all stay", () => {
    const body = '{"tools":[{"name":"a"}]}';
    expect(dropTools(body, names("a"))).toBe(body);
  });

  test("calls and messages with such a name stay", () => {
    const call = { type: "function_call", call_id: "1", name: "a", arguments: "{}" };
    const input = [
      { type: "additional_tools", tools: [{ name: "a" }, { name: "b" }] },
      { role: "user", name: "a", content: "x" },
      call,
    ];
    const left = JSON.parse(dropTools(JSON.stringify({ input }), names("a")));
    expect(left.input).toEqual([{ type: "additional_tools", tools: [{ name: "b" }] }, ...input.slice(1)]);
  });

  test("a text that is not a body stays unchanged", () => {
    for (const body of ["", "{", "[]", '{"tools":5}', '{"tools":[1,null]}'])
      expect(dropTools(body, names("a"))).toBe(body);
  });

  test("takes linear time", () => {
    expectInProportion(5_000, (size) => {
      const body = JSON.stringify({ tools: Array.from({ length: size }, (_, i) => ({ name: `t${i}` })) });
      return [listDroppable(body), dropTools(body, names("t1", "t2"))];
    });
  });
});

describe("listDroppable", () => {
  const tools = [{ name: "a" }, { name: "b" }];
  test.each([
    ["Anthropic's choice", { tools, tool_choice: { type: "tool", name: "a" } }],
    ["Chat's", { tools, tool_choice: { type: "function", function: { name: "a" } } }],
    [
      "Responses'",
      { tools, tool_choice: { type: "allowed_tools", tools: [{ type: "function", name: "a" }] } },
    ],
    ["the older one of Chat", { tools, function_call: { name: "a" } }],
    ["Gemini's", { tools, toolConfig: { functionCallingConfig: { allowedFunctionNames: ["a"] } } }],
    ["a cache mark", { tools: [{ name: "a", cache_control: { type: "ephemeral" } }, { name: "b" }] }],
    ["a deferred tool", { tools: [{ name: "a", defer_loading: true }, { name: "b" }] }],
    [
      "a tool that code of the provider calls",
      { tools: [{ name: "a", allowed_callers: ["code_execution_20260120"] }, { name: "b" }] },
    ],
    ["a tool of the provider", { tools: [{ type: "web_search_20250305", name: "a" }, { name: "b" }] }],
  ])("%s stays", (_, body) => {
    expect(listDroppable(JSON.stringify(body))).toEqual(["b"]);
  });

  test("any choice keeps all", () => {
    for (const tool_choice of ["auto", "required", { type: "any" }])
      expect(listDroppable(JSON.stringify({ tools, tool_choice }))).toEqual(["a", "b"]);
  });
});
