import { describe, expect, test } from "vitest";
import { createPruner } from "../../src/pruner.ts";
import type { WireName } from "../../src/wires/wire.ts";
import { mustReadBody, PATHS, wireNamed } from "./bodies.ts";

const FILE = Array.from({ length: 80 }, (_, line) => `const grüße_${line} = "${line}";`).join("\n");

/** The body with its messages changed, by index; `undefined` removes one. */
function rewrite(
  name: WireName,
  body: string,
  change: (messages: readonly never[]) => readonly unknown[],
  sources?: readonly (number | undefined)[],
): string | undefined {
  const request = mustReadBody(name, body);
  const messages = change(request.messages as readonly never[]);
  return wireNamed(name).write(request, messages, sources ?? [...messages.keys()]);
}

describe("a body, written by hand", () => {
  const body =
    '{ "model":"m", "messages" :[ {"role":"user","content":"a\\u0062"} , {"role":"user", "content":"c"} ] , "x":1.0 }';

  test.each<
    [string, (messages: readonly object[]) => readonly unknown[], (number | undefined)[], string | undefined]
  >([
    ["nothing changed", (m) => m, [0, 1], body],
    ["a message cut", ([a, b]) => [a, { ...b, content: "" }], [0, 1], body.replace('"c"', '""')],
    ["a message gone", (m) => m.slice(1), [1], body.replace('{"role":"user","content":"a\\u0062"} , ', "")],
    ["a note", (m) => [...m, { note: 1 }], [0, 1], body.replace('"c"}', '"c"},{"note":1}')],
    ["all gone", () => [], [], body.replace(/\{"role.*"c"\}/, "")],
    ["a source twice", ([a]) => [{ ...a }, { ...a }], [0, 0], undefined],
    ["sources that fall", ([a, b]) => [b, a], [1, 0], undefined],
    ["a source that does not exist", ([a]) => [a], [7], undefined],
    ["what is no JSON", ([a]) => [{ ...a, content: 1n }], [0], undefined],
  ])("%s", (_, change, sources, expected) => {
    expect(rewrite("openai-chat", body, change as never, sources)).toBe(expected);
  });

  test("a repeated list: the last counts", () => {
    const twice = '{"messages":[1],"messages":[{"role":"user","content":"c"}]}';
    expect(rewrite("openai-chat", twice, () => [{ role: "user", content: "d" }])).toBe(
      twice.replace('"c"', '"d"'),
    );
  });

  test("a name with escapes, and the same name further in", () => {
    const odd = '{"tools":[{"messages":[]}],"mess\\u0061ges":[{"role":"user","content":"c"}]}';
    expect(rewrite("openai-chat", odd, () => [{ role: "user", content: "d" }])).toBe(
      odd.replace('"c"', '"d"'),
    );
  });
});

describe("features that only some wires have", () => {
  test("Responses, a text: it can be cut, and nothing can be added to it", () => {
    const body = '{ "input" : "a\\u0062" , "store":false }';
    const one = (content: unknown, role = "user") => [{ type: "message", role, content }];
    expect(rewrite("openai-responses", body, (m) => m)).toBe(body);
    expect(rewrite("openai-responses", body, () => one("cut"))).toBe('{ "input" : "cut" , "store":false }');
    expect(rewrite("openai-responses", body, (m) => [...m, ...m])).toBeUndefined();
    expect(rewrite("openai-responses", body, () => one([]))).toBeUndefined();
    expect(rewrite("openai-responses", body, () => one("cut", "system"))).toBeUndefined();
  });

  test.each([
    ["the Gemini API", '{"contents": CONTENTS, "generationConfig":{"temperature":1.0}}'],
    ["underscores", '{"system_instruction":{"parts":{"text":"x"}},"contents":CONTENTS}'],
    [
      "Code Assist",
      '{"model":"m","project":"p","request":{"session_id":"s","contents" :CONTENTS }, "contents":7}',
    ],
  ])("Gemini, %s", (_, frame) => {
    const contents =
      '[{"role":"user","parts":[{"text":"go"}]}, {"parts":[{"function_call":{"name":"f","args":{"n":1.0}},"thoughtSignature":"s\\/"}],"role":"model"}, {"role":"user","parts":[ {"function_response":{"name":"f","response":{"output":"LONG"}}} ]}]';
    const body = frame.replace("CONTENTS", contents);
    const cut = { name: "f", response: { output: "[cut]" } };
    const written = rewrite("gemini", body, ([a, b, c]: readonly { parts?: object[] }[]) => [
      a,
      b,
      { ...c, parts: [{ function_response: cut }, { text: "note" }] },
    ]);
    expect(written).toBe(body.replace('"LONG"', '"[cut]"').replace("}}} ]}]", '}}},{"text":"note"} ]}]'));
  });

  test("Gemini: a part is removed, with its exclusive data", () => {
    const body =
      '{"contents":[{"role":"model","parts":[{"thought":true,"text":"hm"}, {"functionCall":{"args":{"a":"\\u0061"},"name":"f"}}]}]}';
    const written = rewrite("gemini", body, ([a]: readonly { parts: { functionCall?: object }[] }[]) => [
      { ...a, parts: [{ functionCall: { ...a?.parts[1]?.functionCall, args: { a: "b" } } }] },
    ]);
    expect(written).toBe(
      '{"contents":[{"role":"model","parts":[{"functionCall":{"args":{"a":"b"},"name":"f"}}]}]}',
    );
  });
});

/** A file read twice: the first reading is stale. */
const anthropicMessages = [
  { role: "user", content: [{ type: "text", text: "go", cache_control: { type: "ephemeral" } }] },
  { role: "system", content: "The workspace is /w." },
  ...["a", "b"].flatMap((id) => [
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "hm", signature: "c2ln" },
        { type: "tool_use", id, name: "Read", input: { file_path: "/w/a.ts" } },
      ],
    },
    {
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: id, content: FILE },
        { type: "tool_reference", tool_name: "x" },
      ],
    },
  ]),
];
const items = [
  { type: "additional_tools", role: "developer", tools: [{ type: "function", name: "read" }] },
  { type: "message", role: "user", content: [{ type: "input_text", text: "go" }] },
  ...["a", "b"].flatMap((call_id) => [
    { type: "reasoning", id: `rs_${call_id}`, summary: [], encrypted_content: "c2VjcmV0" },
    { type: "function_call", id: `fc_${call_id}`, call_id, name: "read", arguments: '{ "path":"a.ts" }' },
    { type: "function_call_output", call_id, output: FILE },
  ]),
];

describe("pruned by the pruner", () => {
  test.each<[string, WireName, object]>([
    [
      "system among the messages, signed thinking, marks",
      "anthropic-messages",
      { messages: anthropicMessages },
    ],
    ["a question of tokens, pruned alike", "anthropic-count-tokens", { messages: anthropicMessages }],
    [
      "not stored, reasoning encrypted, tools among the items",
      "openai-responses",
      { store: false, include: ["reasoning.encrypted_content"], input: items },
    ],
  ])("%s: only the stale reading changes", (_, name, body) => {
    const text = JSON.stringify(body, null, 1);
    const request = mustReadBody(name, text);
    const pruner = createPruner({
      format: request.format as "openai-chat",
      config: { schedule: { mode: "eager" } },
    });
    const { messages, sources, report } = pruner.prune(request.messages);
    expect(report.edits.length).toBeGreaterThan(0);
    const written = wireNamed(name).write(request, messages, sources) ?? "";
    const literal = JSON.stringify(FILE);
    const [before = "", between = "", after = ""] = text.split(literal);
    expect(written.startsWith(before)).toBe(true);
    expect(written.endsWith(`${between}${literal}${after}`)).toBe(true);
    expect(written.length).toBeLessThan(text.length - literal.length / 2);
  });

  test("the counted text is the sent text", () => {
    const text = JSON.stringify({ messages: anthropicMessages });
    const [sent, counted] = (["anthropic-messages", "anthropic-count-tokens"] as const).map((name) => {
      const request = mustReadBody(name, text, PATHS[name]);
      const { messages, sources } = createPruner({ config: { schedule: { mode: "eager" } } }).prune(
        request.messages,
      );
      return wireNamed(name).write(request, messages, sources);
    });
    expect(counted).toBe(sent);
    expect(counted).not.toBe(text);
  });
});
