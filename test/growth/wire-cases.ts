import { writeJson } from "../../src/basics/write-json.ts";
import { createPruner } from "../../src/index.ts";
import { findWire, listWires, readIds, type Wire } from "../../src/wires/index.ts";
import type { Case } from "./measure.ts";
import { SMALL_TEXT_SIZES, TEXT_SIZES } from "./sizes.ts";
import { type TextFunctions, textCases } from "./text-cases.ts";

/** Bodies and answers come from the network: each gets texts, plain and inside JSON. */
const FUNCTIONS: TextFunctions = [
  ["findWire", (text) => findWire("POST", text)],
  ["findWire, a query", (text) => findWire("POST", `/v1/messages?${text}`)],
  ["readIds", (text) => readIds({ "thread-id": text, [text]: text })],
  ["read", (text) => listWires().map((wire) => wire.read(text, text))],
  ["read and write, a message", (text) => listWires().map((wire) => rewrite(wire, text))],
  ["openAnswer", (text) => listWires().map((wire) => answer(wire, text, 1_000))],
  ["openAnswer, an event", (text) => listWires().map((wire) => answer(wire, `data: ${text}`, 7))],
  [
    "openAnswer, JSON",
    (text) => listWires().map((wire) => answer(wire, JSON.stringify({ [text]: [text] }), 7)),
  ],
  ["openAnswer, a string", (text) => listWires().map((wire) => answer(wire, `{"model":"${text}`, 1))],
];

const SLOW_FUNCTIONS: TextFunctions = [["read, prune and write", prune]];

/** One message with this text and name, changed at its end. */
function rewrite(wire: Wire, text: string): unknown {
  const message = { role: "user", odd: { [text]: [text, text] }, content: [{ text }, { text: "x" }] };
  const body = JSON.stringify({ messages: [message], input: [message], contents: [message] });
  const request = wire.read(body, "");
  if (!request) throw new Error("not read");
  return wire.write(request, [{ ...message, content: [{ text: "y" }] }, { note: text }], [0]);
}

function prune(text: string): unknown {
  const messages = ["a", "b"].flatMap((id) => [
    {
      role: "assistant",
      tool_calls: [{ id, type: "function", function: { name: "read", arguments: '{"path":"a"}' } }],
    },
    { role: "tool", tool_call_id: id, content: `${text} and ${text}` },
  ]);
  const wire = findWire("POST", "/v1/chat/completions");
  const request = wire?.read(
    JSON.stringify({ messages: [{ role: "user", content: "go" }, ...messages] }),
    "",
  );
  if (!request) throw new Error("not read");
  const pruned = createPruner().prune(request.messages);
  return wire?.write(request, pruned.messages, pruned.sources);
}

function answer(wire: Wire, text: string, size: number): unknown {
  const reader = wire.openAnswer();
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  return reader.end();
}

/** Many different messages, blocks, fields and levels. */
const SHAPES: readonly (readonly [name: string, make: (size: number, text: string) => unknown])[] = [
  ["messages", (size, text) => Array.from({ length: size }, (_, id) => ({ id, text }))],
  ["blocks", (size, text) => [{ content: Array.from({ length: size }, (_, id) => ({ id, text })) }]],
  [
    "blocks, half of them gone",
    (size, text) => [
      { content: Array.from({ length: text === "b" ? size / 2 : size }, (_, id) => ({ id: 2 * id, text })) },
    ],
  ],
  [
    "blocks, most of them gone",
    (size, text) => [{ content: Array.from({ length: text === "b" ? 64 : size }, () => ({ text })) }],
  ],
  [
    "blocks that came",
    (size, text) => [{ content: Array.from({ length: text === "b" ? size : 1 }, (_, id) => ({ id })) }],
  ],
  ["fields", (size, text) => [Object.fromEntries(Array.from({ length: size }, (_, id) => [`f${id}`, text]))]],
  [
    "other fields",
    (size, text) => [Object.fromEntries(Array.from({ length: size }, (_, id) => [`${text}${id}`, id]))],
  ],
  ["levels", (size, text) => [JSON.parse(`${'[{"a":'.repeat(size)}"${text}"${"}]".repeat(size)}`)]],
];

const SHAPE_SIZES: readonly number[] = [2_000, 32_000];

export function wireCases(): readonly Case[] {
  return [
    ...textCases(FUNCTIONS, TEXT_SIZES),
    ...textCases(SLOW_FUNCTIONS, SMALL_TEXT_SIZES),
    ...SHAPES.map(
      ([name, make]): Case => ({
        name: `write, ${name}`,
        sizes: SHAPE_SIZES,
        prepare: (size) => prepareWrite(size, make),
      }),
    ),
  ];
}

function prepareWrite(size: number, make: (size: number, text: string) => unknown): () => unknown {
  const wire = findWire("POST", "/v1/chat/completions");
  const messages = make(size, "a") as readonly unknown[];
  const next = make(size, "b") as readonly unknown[];
  const body = `{"messages":${writeJson(messages)}}`;
  return () => {
    const request = wire?.read(body, "");
    const written = request && wire?.write(request, next, [...next.keys()]);
    if (written === undefined) throw new Error("not written");
    return written;
  };
}
