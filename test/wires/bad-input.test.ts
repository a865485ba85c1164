import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createPruner } from "../../src/pruner.ts";
import { isOwnQuestion, readIds } from "../../src/wires/client-ids.ts";
import { findWire, listWires } from "../../src/wires/find-wire.ts";
import { bodyOf, PATHS, wireNamed } from "./bodies.ts";
import { makeDice, writeOdd } from "./odd-json.ts";

const names = listWires().map(({ name }) => name);

/** Reads, prunes and writes: nothing throws, and the result is a body with the pruner's messages. */
function goThrough(name: (typeof names)[number], body: string): boolean {
  const wire = wireNamed(name);
  const request = wire.read(body, PATHS[name]);
  if (!request) return false;
  isOwnQuestion(request);
  readIds({}, request);
  expect(wire.write(request, request.messages, [])).toBe(body);
  const copies = structuredClone(request.messages);
  expect(wire.write(request, copies, [...copies.keys()])).toBe(body);
  const pruner = createPruner({ agentTools: true, config: { schedule: { mode: "eager" } } });
  const { messages, sources } = pruner.prune(request.messages);
  const written = wire.write(request, messages, sources);
  if (written !== undefined && request.place.kind === "list") {
    const list = request.place.path.reduce((value, field) => value?.[field], JSON.parse(written));
    expect(list).toEqual(messages);
  }
  return true;
}

describe.each(names)("%s", (name) => {
  const call = [
    { role: "user", content: "go", parts: [{ text: "go" }] },
    { role: "assistant", content: [{ type: "tool_use", id: "a", name: "read", input: { path: "a.ts" } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: "text ".repeat(300) }] },
    { type: "function_call_output", call_id: "b", output: "text ".repeat(300) },
  ];

  test.each<[string, string, boolean]>([
    ["nothing", "", false],
    ["blanks", " ", false],
    ["a number", "7", false],
    ["null", "null", false],
    ["a list", "[]", false],
    ["no messages", "{}", false],
    ["messages that are not a list", '{"messages":7,"input":7,"contents":7}', false],
    ["messages that are null", '{"messages":null,"input":null,"contents":null}', false],
    ["an object of messages", '{"messages":{},"input":{},"contents":{},"request":[]}', false],
    ["an empty list", '{"messages":[],"input":[],"contents":[]}', true],
    [
      "strangers among messages",
      '{"messages":[null,7,"x",[],{}],"input":[null,7,"x",[],{}],"contents":[null,7,"x",[],{}]}',
      true,
    ],
    [
      "numbers for objects",
      JSON.stringify({
        ...bodyOf(name, [1, 2]),
        system: 1,
        tools: 2,
        metadata: 3,
        thread: 4,
        model: 5,
        systemInstruction: 6,
      }),
      true,
    ],
    [
      "unknown blocks everywhere",
      JSON.stringify(
        bodyOf(name, [
          {
            role: "hologram",
            content: [{ type: "hologram", depth: [1] }],
            parts: [{ hologram: 1 }],
            type: "hologram",
          },
        ]),
      ),
      true,
    ],
    ["a byte order mark", `\ufeff${JSON.stringify(bodyOf(name, call))}`, false],
    ["__proto__", JSON.stringify(bodyOf(name, call)).replace("{", '{"__proto__":{"messages":[1]},'), true],
  ])("%s", (_, body, isRead) => {
    expect(goThrough(name, body)).toBe(isRead);
  });

  test("a body that is cut off anywhere is not a body", () => {
    const body = JSON.stringify(bodyOf(name, call));
    for (let end = 0; end < body.length; end++)
      expect(wireNamed(name).read(body.slice(0, end), "")).toBeUndefined();
  });

  test("bodies of the other wires, and any JSON in any place", () => {
    let read = 0;
    const anything = fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text) as unknown);
    const spoil = (value: unknown, with_: unknown, dice: (count: number) => number): unknown => {
      if (dice(14) === 0) return with_;
      if (Array.isArray(value)) return value.map((each) => spoil(each, with_, dice));
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, spoil(each, with_, dice)]));
    };
    fc.assert(
      fc.property(fc.constantFrom(...names), anything, fc.integer(), (other, junk, seed) => {
        const dice = makeDice(seed);
        if (goThrough(name, writeOdd(spoil(bodyOf(other, call), junk, dice), dice))) read++;
      }),
      { numRuns: 200 },
    );
    expect(read).toBeGreaterThan(20);
  });

  test("answers of any bytes", () => {
    const pieces = fc.oneof(
      fc.uint8Array(),
      fc
        .constantFrom(
          "data: ",
          "\n\n",
          "\r",
          "{",
          "[",
          '"',
          '"usage":',
          "}",
          "]",
          ",",
          ":",
          "\\",
          "\\u",
          "1e9",
          "null",
        )
        .map((text) => new TextEncoder().encode(text)),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (chunks) => {
        const reader = wireNamed(name).openAnswer();
        for (const chunk of chunks) reader.push(chunk);
        expect(typeof reader.end().ok).toBe("boolean");
        expect(typeof reader.end().ok).toBe("boolean");
      }),
    );
  });
});

test("any method and path", () => {
  fc.assert(fc.property(fc.string(), fc.string(), (method, path) => void findWire(method, path)));
});
