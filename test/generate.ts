import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import fc from "fast-check";
import type { FormatName } from "../src/formats/format.ts";
import type { MessageMeta } from "../src/transcript/message.ts";

/** A session before it is written in any format, with the features that every format has. */
export interface Script {
  readonly turns: readonly Turn[];
}

interface Turn {
  readonly prompt: string;
  readonly image: boolean;
  readonly steps: readonly Step[];
}

interface Step {
  readonly text: string | undefined;
  readonly thinking: { readonly text: string; readonly signed: boolean } | undefined;
  /** A block that no decoder knows. */
  readonly unknown: boolean;
  readonly calls: readonly Call[];
  /** Milliseconds until its results arrive. */
  readonly pause: number;
}

interface Call {
  /** Its id; two calls may use the same one. */
  readonly id: number;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly output: string;
  /** The output comes in two text blocks where the format has them. */
  readonly split: boolean;
  readonly failed: boolean;
}

export interface Session {
  readonly format: FormatName;
  readonly messages: readonly unknown[];
  readonly meta: readonly MessageMeta[];
  /** The host's data on its requests; by default everything in `meta`. */
  readonly host?: HostKind;
}

/**
 * bare: nothing but the messages. forgetful: of each request its time, model and window, which change from one to the
 * next. journaling: the same, and of the requests before it what `report.asked` said. clearing: the same, and most
 * requests ask the provider to clear old results itself.
 */
export type HostKind = "bare" | "forgetful" | "journaling" | "clearing";

const line = fc.constantFrom(
  "export function applyDiscount(order, rate) {",
  "  const total = order.lines.reduce((sum, line) => sum + line.price, 0);",
  "tests/test_orders.py::test_total PASSED",
  "TypeError: cannot read properties of undefined (reading 'rate')",
  "größte 𝒳 emoji 👩‍🚀 naïve",
  "",
);

const smallText = fc.oneof(
  { weight: 6, arbitrary: fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => lines.join("\n")) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
);

/** More tokens than any window of these tests. */
const LARGE = 1_000;
const output = fc.oneof(
  { weight: 20, arbitrary: smallText },
  { weight: 16, arbitrary: fc.integer({ min: 20, max: 120 }).map((n) => numbered(n)) },
  { weight: 3, arbitrary: fc.constant("") },
  { weight: 1, arbitrary: fc.constant(numbered(LARGE)) },
);

const path = fc.constantFrom("src/a.ts", "src/b.ts", "./src/a.ts", "package.json");
const longText = fc.oneof(
  smallText,
  fc.integer({ min: 20, max: 60 }).map((n) => numbered(n)),
);

/** Code in user text: in a longer fence, in another one, never closed. */
const fenced = fc
  .record({
    fences: fc.constantFrom(["```ts", "```"], ["~~~", "~~~~"], ["````", "````"], ["```", ""]),
    lines: fc.integer({ min: 1, max: 24 }),
    lineBreak: fc.constantFrom("\n", "\r\n"),
  })
  .map(({ fences: [open, close], lines, lineBreak }) =>
    ["See:", open, ...numbered(lines).split("\n"), close, "and go on"].join(lineBreak),
  );
const prompt = fc.oneof(
  { weight: 3, arbitrary: smallText },
  { weight: 1, arbitrary: fenced },
  { weight: 1, arbitrary: fc.tuple(fenced, fenced).map((blocks) => blocks.join("\n")) },
);

/** Some edits name a line, as a number or as a text. */
const edit = fc
  .record({ filePath: path, oldString: smallText, newString: longText })
  .map((input) => (input.newString.length % 4 > 0 ? input : { ...input, line: lineOf(input.oldString) }));

function lineOf({ length }: string): number | string {
  return length % 2 === 0 ? length : String(length);
}

/** Few tools and few targets, so that calls repeat as in real sessions. */
const toolCall = fc.oneof(
  use("read", fc.record({ filePath: path })),
  use("read", fc.record({ filePath: path, offset: fc.constantFrom(1, 10), limit: fc.constantFrom(20, 40) })),
  use(
    "bash",
    fc.record({ command: fc.constantFrom("git status", "git status -s", "npm test", "cat src/a.ts") }),
  ),
  use("write", fc.record({ filePath: path, content: longText })),
  use("edit", edit),
  use(
    "multi_edit",
    fc.record({
      filePath: path,
      edits: fc.array(fc.record({ old: smallText, new: longText }), { maxLength: 1 }),
    }),
  ),
  use("browser_snapshot", fc.record({ filename: fc.constantFrom("a.md", "b.md") })),
  use("read_many_files", fc.record({ paths: fc.constant(["src/a.ts", "src/b.ts"]) })),
  use("webfetch", fc.record({ url: fc.constantFrom("https://a.org/x", "https://a.org/x#top") })),
  use(
    fc.constantFrom("todowrite", "mystery", "context_info"),
    fc.record({ items: fc.array(smallText, { maxLength: 2 }) }),
  ),
);

function use(
  tool: string | fc.Arbitrary<string>,
  input: fc.Arbitrary<Readonly<Record<string, unknown>>>,
): fc.Arbitrary<Pick<Call, "tool" | "input">> {
  return fc.record({ tool: typeof tool === "string" ? fc.constant(tool) : tool, input });
}

const call: fc.Arbitrary<Call> = fc
  .record({
    id: fc.nat(10_000),
    use: toolCall,
    output,
    split: fc.boolean(),
    failed: fc.boolean(),
    lucky: fc.boolean(),
  })
  .map(({ use, failed, lucky, ...rest }) => ({ ...use, ...rest, failed: failed && !lucky }));

/** If ids repeat, providers reject the session unchanged; only some laws apply to it. */
export interface ScriptOptions {
  readonly repeatIds?: boolean;
  readonly reasoning: "none" | "plain" | "signed";
}

export function scripts({ repeatIds = false, reasoning }: ScriptOptions): fc.Arbitrary<Script> {
  const thinking =
    reasoning === "none"
      ? fc.constant(undefined)
      : fc.option(
          fc.record({
            text: smallText.map((text) => text || "hm"),
            signed: fc.constant(reasoning === "signed"),
          }),
          {
            nil: undefined,
          },
        );
  const step: fc.Arbitrary<Step> = fc.record({
    text: fc.option(smallText, { nil: undefined }),
    thinking,
    unknown: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    calls: fc.array(call, { maxLength: 3 }),
    pause: fc.constantFrom(1_000, 20_000, 20_000, 400_000),
  });
  const turn: fc.Arbitrary<Turn> = fc.record({
    prompt: prompt.map((text) => text || "go on"),
    image: fc.integer({ min: 0, max: 7 }).map((n) => n === 0),
    steps: fc.array(step, { minLength: 1, maxLength: 6 }),
  });
  return fc
    .array(turn, { minLength: 1, maxLength: 4 })
    .map((turns) => ({ turns: repeatIds ? turns : withUniqueIds(turns) }));
}

function withUniqueIds(turns: readonly Turn[]): readonly Turn[] {
  let next = 0;
  const renumber = (each: Call): Call => ({ ...each, id: next++ });
  return turns.map((turn) => ({
    ...turn,
    steps: turn.steps.map((step) => ({ ...step, calls: step.calls.map(renumber) })),
  }));
}

export function numbered(lines: number): string {
  return Array.from(
    { length: lines },
    (_, i) => `${i + 1}\tconst value${i} = compute(${i * 7}); // keep`,
  ).join("\n");
}

const START = 1_790_000_000_000;
const MODEL = "claude-sonnet-4-5";

export function render(script: Script, format: FormatName): Session {
  switch (format) {
    case "openai-chat":
      return renderChat(script);
    case "anthropic-messages":
      return renderAnthropic(script);
    case "opencode":
      return renderOpenCode(script);
    case "openai-responses":
      return renderResponses(script);
    case "ai-sdk":
      return renderAiSdk(script);
    case "pi":
      return renderPi(script);
    case "gemini":
      return renderGemini(script);
    case "langchain":
      return renderLangChain(script);
    case "openai-agents":
      return renderAgents(script);
  }
}

class Writer {
  readonly messages: unknown[] = [];
  readonly meta: MessageMeta[] = [];
  time = START;

  add(message: unknown, meta: MessageMeta = {}): void {
    this.messages.push(message);
    this.meta.push({ time: this.time, ...meta });
  }

  session(format: FormatName): Session {
    return { format, messages: this.messages, meta: this.meta };
  }
}

function renderChat(script: Script): Session {
  const writer = new Writer();
  writer.add({ role: "system", content: "You are a coding agent." });
  for (const turn of script.turns) {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
    writer.add({
      role: "user",
      content: turn.image ? [{ type: "text", text: turn.prompt }, image] : turn.prompt,
    });
    for (const step of turn.steps) {
      const calls = step.calls.map((each) => ({
        id: `call_${each.id}`,
        type: "function",
        function: { name: each.tool, arguments: JSON.stringify(each.input) },
        ...(step.unknown && { extra_content: { trace: [1, 2] } }),
      }));
      const needsText = step.text === undefined && calls.length === 0;
      writer.add(
        {
          role: "assistant",
          content: needsText ? "done" : (step.text ?? null) || (calls.length > 0 ? null : "done"),
          ...(step.thinking && { reasoning_content: step.thinking.text }),
          ...(calls.length > 0 && { tool_calls: calls }),
          ...(step.unknown && { vendor_field: { kept: true } }),
        },
        { model: MODEL },
      );
      writer.time += step.pause;
      for (const each of step.calls) {
        writer.add({
          role: "tool",
          tool_call_id: `call_${each.id}`,
          content: each.split ? halves(each.output) : each.output,
        });
      }
    }
    writer.time += 30_000;
  }
  return writer.session("openai-chat");
}

function renderAnthropic(script: Script): Session {
  const writer = new Writer();
  for (const turn of script.turns) {
    const image = {
      type: "image",
      source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" },
    };
    writer.add({
      role: "user",
      content: turn.image ? [{ type: "text", text: turn.prompt }, image] : turn.prompt,
    });
    for (const step of turn.steps) {
      const thinking = step.thinking && {
        type: "thinking",
        thinking: step.thinking.text,
        ...(step.thinking.signed && { signature: "c2lnbmVk" }),
      };
      const content = [
        ...(thinking ? [thinking] : []),
        ...(step.text
          ? [{ type: "text", text: step.text, ...(step.unknown && { citations: [{ cited: "x" }] }) }]
          : []),
        ...(step.unknown ? [{ type: "container_upload", file_id: "file_1" }] : []),
        ...step.calls.map((each) => ({
          type: "tool_use",
          id: `toolu_${each.id}`,
          name: each.tool,
          input: each.input,
        })),
      ];
      const spoken = content.some(({ type }) => type !== "thinking");
      writer.add(
        { role: "assistant", content: spoken ? content : [...content, { type: "text", text: "done" }] },
        { model: MODEL },
      );
      writer.time += step.pause;
      if (step.calls.length > 0) {
        writer.add({
          role: "user",
          content: step.calls.map((each) => ({
            type: "tool_result",
            tool_use_id: `toolu_${each.id}`,
            content: each.split ? halves(each.output) : each.output,
            ...(each.failed && { is_error: true }),
          })),
        });
      }
    }
    writer.time += 30_000;
  }
  return writer.session("anthropic-messages");
}

function renderOpenCode(script: Script): Session {
  const writer = new Writer();
  let serial = 0;
  const id = (prefix: string) => `${prefix}_${String(serial++).padStart(6, "0")}`;
  for (const turn of script.turns) {
    const messageID = id("msg");
    const info = {
      id: messageID,
      sessionID: "ses_1",
      role: "user",
      time: { created: writer.time },
      agent: "build",
      model: { providerID: "p", modelID: MODEL },
    };
    const file = {
      type: "file",
      mime: "image/png",
      filename: "shot.png",
      url: "data:image/png;base64,iVBORw0KGgo=",
      id: id("prt"),
      sessionID: "ses_1",
      messageID,
    };
    const text = { type: "text", text: turn.prompt, id: id("prt"), sessionID: "ses_1", messageID };
    writer.add({ info, parts: turn.image ? [text, file] : [text] });
    for (const step of turn.steps) {
      const stepID = id("msg");
      const created = writer.time + 500;
      writer.time += step.pause;
      const own = { sessionID: "ses_1", messageID: stepID };
      const parts = [
        { type: "step-start", id: id("prt"), ...own },
        ...(step.thinking
          ? [
              {
                type: "reasoning",
                text: step.thinking.text,
                time: { start: created, end: created },
                id: id("prt"),
                ...own,
                ...(step.thinking.signed && { metadata: { anthropic: { signature: "c2lnbmVk" } } }),
              },
            ]
          : []),
        ...(step.text || step.calls.length === 0
          ? [{ type: "text", text: step.text || "done", id: id("prt"), ...own }]
          : []),
        ...(step.unknown ? [{ type: "hologram", depth: 3, id: id("prt"), ...own }] : []),
        ...step.calls.map((each) => ({
          type: "tool",
          tool: each.tool,
          callID: `call_${each.id}`,
          state: stateOf(each, writer.time),
          id: id("prt"),
          ...own,
        })),
        { type: "step-finish", reason: "tool-calls", cost: 0, id: id("prt"), ...own },
      ];
      writer.add({
        info: {
          id: stepID,
          sessionID: "ses_1",
          role: "assistant",
          parentID: messageID,
          modelID: MODEL,
          providerID: "p",
          mode: "build",
          cost: 0,
          tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
          time: { created, completed: writer.time },
          finish: step.calls.length > 0 ? "tool-calls" : "stop",
        },
        parts,
      });
    }
    writer.time += 30_000;
  }
  return { format: "opencode", messages: writer.messages, meta: [] };
}

function renderResponses(script: Script): Session {
  const writer = new Writer();
  let serial = 0;
  const input = (text: string) => ({ type: "input_text", text });
  for (const turn of script.turns) {
    const image = { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=", detail: "auto" };
    const content = turn.image ? [input(turn.prompt), image] : [input(turn.prompt)];
    writer.add({ type: "message", role: "user", content });
    for (const step of turn.steps) {
      const id = serial++;
      const { thinking, unknown, calls } = step;
      const text = step.text || (calls.length === 0 ? "done" : undefined);
      const items = [
        ...(thinking
          ? [
              {
                type: "reasoning",
                summary: [{ type: "summary_text", text: thinking.text }],
                ...(thinking.signed && { id: `rs_${id}`, encrypted_content: "c2lnbmVk" }),
              },
            ]
          : []),
        ...(unknown ? [{ type: "hologram", id: `holo_${id}`, depth: 3 }] : []),
        ...(text
          ? [
              {
                type: "message",
                role: "assistant",
                ...(id % 3 > 0 && { id: `msg_${id}` }),
                content: [{ type: "output_text", text, annotations: [] }],
              },
            ]
          : []),
        ...calls.map((each) => ({
          type: "function_call",
          id: `fc_${each.id}`,
          call_id: `call_${each.id}`,
          name: each.tool,
          arguments: JSON.stringify(each.input),
        })),
      ];
      for (const item of items) writer.add(item, { model: MODEL });
      writer.time += step.pause;
      for (const each of calls) {
        writer.add({
          type: "function_call_output",
          call_id: `call_${each.id}`,
          output: each.split ? halves(each.output).map((half) => input(half.text)) : each.output,
        });
      }
    }
    writer.time += 30_000;
  }
  return writer.session("openai-responses");
}

function renderAiSdk(script: Script): Session {
  const writer = new Writer();
  let serial = 0;
  writer.add({ role: "system", content: "You are a coding agent." });
  for (const turn of script.turns) {
    const image = { type: "image", image: "iVBORw0KGgo=", mediaType: "image/png" };
    writer.add({
      role: "user",
      content: turn.image ? [{ type: "text", text: turn.prompt }, image] : turn.prompt,
    });
    for (const step of turn.steps) {
      const id = serial++;
      const { thinking, calls } = step;
      const item = (itemId: string) => thinking?.signed && { providerOptions: { openai: { itemId } } };
      const text = step.text || (calls.length === 0 ? "done" : undefined);
      const content = [
        ...(thinking ? [{ type: "reasoning", text: thinking.text, ...item(`rs_${id}`) }] : []),
        ...(text ? [{ type: "text", text, ...item(`msg_${id}`) }] : []),
        ...(step.unknown ? [{ type: "hologram", depth: 3 }] : []),
        ...calls.map((each) => ({
          type: "tool-call",
          toolCallId: `call_${each.id}`,
          toolName: each.tool,
          input: each.input,
          ...item(`fc_${each.id}`),
        })),
      ];
      writer.add({ role: "assistant", content }, { model: MODEL });
      writer.time += step.pause;
      if (calls.length === 0) continue;
      writer.add({
        role: "tool",
        content: calls.map((each) => ({
          type: "tool-result",
          toolCallId: `call_${each.id}`,
          toolName: each.tool,
          output: outputOf(each),
        })),
      });
    }
    writer.time += 30_000;
  }
  return writer.session("ai-sdk");
}

function outputOf(each: Call): unknown {
  if (each.failed) return { type: "error-text", value: each.output };
  if (each.split) return { type: "content", value: halves(each.output) };
  return each.id % 2 === 0
    ? { type: "text", value: each.output }
    : { type: "json", value: { ok: true, text: each.output, lines: [1, 2, 3] } };
}

function renderPi(script: Script): Session {
  const writer = new Writer();
  const add = (message: object) => writer.add({ ...message, timestamp: writer.time });
  for (const turn of script.turns) {
    const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" };
    add({
      role: "user",
      content: turn.image ? [{ type: "text", text: turn.prompt }, image] : turn.prompt,
    });
    for (const step of turn.steps) {
      const { thinking, calls } = step;
      const text = step.text || (calls.length === 0 ? "done" : undefined);
      const content = [
        ...(thinking
          ? [
              {
                type: "thinking",
                thinking: thinking.text,
                ...(thinking.signed && {
                  thinkingSignature: step.pause > 1_000 ? "c2lnbmVk" : '{"type":"reasoning","id":"rs_1"}',
                }),
              },
            ]
          : []),
        ...(text ? [{ type: "text", text, textSignature: "msg_1" }] : []),
        ...(step.unknown ? [{ type: "hologram", depth: 3 }] : []),
        ...calls.map((each) => ({
          type: "toolCall",
          id: `call_${each.id}|fc_${each.id}`,
          name: each.tool,
          arguments: each.input,
        })),
      ];
      add({
        role: "assistant",
        content,
        api: "anthropic-messages",
        provider: "p",
        model: MODEL,
        usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
        stopReason: calls.length > 0 ? "toolUse" : "stop",
      });
      writer.time += step.pause;
      for (const each of calls) {
        add({
          role: "toolResult",
          toolCallId: `call_${each.id}|fc_${each.id}`,
          toolName: each.tool,
          content: each.split ? halves(each.output) : [{ type: "text", text: each.output }],
          isError: each.failed,
        });
      }
      if (step.unknown)
        add({ role: "custom", customType: "note", content: "An extension says so.", display: true });
    }
    writer.time += 30_000;
  }
  return { format: "pi", messages: writer.messages, meta: [] };
}

function renderGemini(script: Script): Session {
  const writer = new Writer();
  for (const turn of script.turns) {
    const image = { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } };
    writer.add({
      role: "user",
      parts: turn.image ? [{ text: turn.prompt }, image] : [{ text: turn.prompt }],
    });
    for (const step of turn.steps) {
      const { thinking, calls } = step;
      const signature = thinking?.signed && { thoughtSignature: "c2lnbmVk" };
      const text = step.text || (calls.length === 0 ? "done" : undefined);
      const parts = [
        ...(thinking ? [{ text: thinking.text, thought: true, ...signature }] : []),
        ...(text ? [{ text, ...(calls.length === 0 && signature) }] : []),
        ...(step.unknown ? [{ hologram: { depth: 3 } }] : []),
        ...calls.map((each, i) => ({
          functionCall: { id: `call_${each.id}`, name: each.tool, args: each.input },
          ...(i === 0 && signature),
        })),
      ];
      writer.add({ role: "model", parts }, { model: MODEL });
      writer.time += step.pause;
      if (calls.length === 0) continue;
      writer.add({
        role: "user",
        parts: calls.map((each) => ({
          functionResponse: { id: `call_${each.id}`, name: each.tool, response: responseOf(each) },
        })),
      });
    }
    writer.time += 30_000;
  }
  return writer.session("gemini");
}

function renderAgents(script: Script): Session {
  const writer = new Writer();
  let serial = 0;
  const input = (text: string) => ({ type: "input_text", text });
  for (const turn of script.turns) {
    const image = { type: "input_image", image: "data:image/png;base64,iVBORw0KGgo=" };
    writer.add({ role: "user", content: turn.image ? [input(turn.prompt), image] : turn.prompt });
    for (const step of turn.steps) {
      const id = serial++;
      const { thinking, calls } = step;
      const text = step.text || (calls.length === 0 ? "done" : undefined);
      const signed = thinking?.signed && { id: `rs_${id}`, providerData: { encrypted_content: "c2lnbmVk" } };
      const items = [
        ...(thinking ? [{ type: "reasoning", content: [input(thinking.text)], ...signed }] : []),
        ...(step.unknown ? [{ type: "unknown", providerData: { depth: 3 } }] : []),
        ...(text
          ? [
              {
                type: "message",
                role: "assistant",
                status: "completed",
                content: [{ type: "output_text", text }],
              },
            ]
          : []),
        ...calls.map((each) => ({
          type: "function_call",
          id: `fc_${each.id}`,
          callId: `call_${each.id}`,
          name: each.tool,
          status: "completed",
          arguments: JSON.stringify(each.input),
        })),
      ];
      for (const item of items) writer.add(item, { model: MODEL });
      writer.time += step.pause;
      for (const each of calls)
        writer.add({
          type: "function_call_result",
          callId: `call_${each.id}`,
          name: each.tool,
          status: "completed",
          output: each.split ? halves(each.output).map(({ text: half }) => input(half)) : each.output,
        });
    }
    writer.time += 30_000;
  }
  return writer.session("openai-agents");
}

/** As Anthropic's package makes messages: each call is also in the content. */
function renderLangChain(script: Script): Session {
  const writer = new Writer();
  writer.add(new SystemMessage("You are a coding agent."));
  for (const turn of script.turns) {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } };
    writer.add(
      new HumanMessage({ content: turn.image ? [{ type: "text", text: turn.prompt }, image] : turn.prompt }),
    );
    for (const step of turn.steps) {
      const { thinking } = step;
      const text = step.text || (step.calls.length === 0 ? "done" : undefined);
      const calls = step.calls.map((each) => ({
        type: "tool_call" as const,
        id: `call_${each.id}`,
        name: each.tool,
        args: each.input,
      }));
      const content = [
        ...(thinking
          ? [{ type: "thinking", thinking: thinking.text, ...(thinking.signed && { signature: "c2lnbmVk" }) }]
          : []),
        ...(text ? [{ type: "text", text }] : []),
        ...(step.unknown ? [{ type: "hologram", depth: 3 }] : []),
        ...calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: structuredClone(args) })),
      ];
      writer.add(new AIMessage({ content, tool_calls: calls, response_metadata: { output: [] } }), {
        model: MODEL,
      });
      writer.time += step.pause;
      for (const each of step.calls)
        writer.add(
          new ToolMessage({
            tool_call_id: `call_${each.id}`,
            name: each.tool,
            content: each.split ? [...halves(each.output)] : each.output,
            status: each.failed ? "error" : "success",
          }),
        );
    }
    writer.time += 30_000;
  }
  return writer.session("langchain");
}

function responseOf(each: Call): unknown {
  if (each.failed) return { error: each.output };
  return each.split ? { content: halves(each.output) } : { output: each.output };
}

function stateOf(each: Call, end: number): unknown {
  const base = { input: each.input, time: { start: end - 100, end } };
  return each.failed
    ? { status: "error", error: each.output || "failed", ...base }
    : { status: "completed", output: each.output, title: each.tool, metadata: {}, ...base };
}

function halves(text: string): readonly { type: "text"; text: string }[] {
  const middle = text.indexOf("\n", text.length / 2);
  if (middle <= 0 || middle === text.length - 1) return [{ type: "text", text: text || "(empty)" }];
  return [
    { type: "text", text: text.slice(0, middle) },
    { type: "text", text: text.slice(middle) },
  ];
}
