import { describe, expect, it } from "vitest";
import {
  AGGRESSIVE_SHAKE_CONFIG,
  applyShakeRegion,
  applyShakeRegions,
  collectShakeRegions,
  type ShakeRegion,
} from "../../../src/entries/messages.ts";
import { estimateTokens } from "../../../src/index.ts";
import { numbered, textOf } from "../../conversation.ts";
import { entryOf, type Item, KINDS, writeMessages } from "./write-messages.ts";

const fence = (seed: number) => `\`\`\`ts\n${textOf(500, seed)}\n\`\`\``;
const items: readonly Item[] = [
  ["user", `One:\n${fence(1)}\ntwo:\r\n${fence(2)}\r\nthat's it.`],
  ["call", "bash", { command: "npm test" }, textOf(500, 3)],
  ["user", "Go on."],
];
const PLACEHOLDER = /^\[shaken ~(\d+) tokens · recall ([0-9a-f]{6})\]$/;

/** The only text of a message, wherever its format has it. */
function textIn(message: unknown): string {
  const found = /"(?:content|text|output)":("\[?(?:[^"\\]|\\.)*")/g;
  return [...JSON.stringify(message).matchAll(found)].map(([, text]) => JSON.parse(text ?? "")).join("");
}

function shake(messages: readonly unknown[]) {
  const regions = collectShakeRegions(messages, AGGRESSIVE_SHAKE_CONFIG);
  return {
    regions,
    ...applyShakeRegions(
      messages,
      regions.map((region) => ({ region })),
    ),
  };
}

describe("entries of a pi session", () => {
  const inside = (id: number, message: object) => ({
    type: "message",
    id: `e${id}`,
    parentId: id === 0 ? null : `e${id - 1}`,
    timestamp: "2026-01-01T00:00:00.000Z",
    message,
  });
  const call = { type: "toolCall", id: "c1", name: "bash", arguments: { command: "npm test" } };
  const entries = [
    { type: "model_change", id: "m", parentId: null, timestamp: "", modelId: "claude-sonnet-4-5" },
    inside(0, { role: "user", content: `One:\n${fence(1)}` }),
    inside(1, { role: "assistant", content: [call], stopReason: "toolUse" }),
    inside(2, {
      role: "toolResult",
      toolCallId: "c1",
      toolName: "bash",
      content: [{ type: "text", text: textOf(500, 3) }],
      isError: false,
      timestamp: 7,
    }),
    {
      type: "custom_message",
      id: "x",
      parentId: "e2",
      timestamp: "",
      customType: "notes",
      content: fence(2),
    },
    inside(4, { role: "user", content: "Go on." }),
  ];

  it.each([{}, { format: "pi" as const }])("are taken: %j", (options) => {
    const before = structuredClone(entries);
    const regions = collectShakeRegions(entries, AGGRESSIVE_SHAKE_CONFIG, options);
    expect(regions).toMatchObject([
      { kind: "block", entry: 1, blockIndex: -1, label: "user" },
      { kind: "toolResult", entry: 3, label: "bash", originalText: textOf(500, 3) },
      { kind: "block", entry: 4, blockIndex: -1, label: "notes" },
    ]);
    const items = regions.map((region) => ({ region }));
    const { messages: shaken, issues } = applyShakeRegions<unknown>(entries, items, options);
    expect(issues).toEqual([]);
    expect(entries).toEqual(before);
    expect(shaken.filter((entry, i) => entry === entries[i])).toHaveLength(3);
    const mark = expect.stringMatching(PLACEHOLDER);
    expect(shaken).toMatchObject([
      {},
      { ...entries[1], message: { content: expect.stringMatching(/^One:\n\[shaken /) } },
      {},
      { id: "e2", message: { toolCallId: "c1", content: [{ type: "text", text: mark }], prunedAt: 7 } },
      { ...entries[4], content: mark },
      {},
    ]);
  });
});

describe("calls as oh-my-pi has them are refused with a sentence", () => {
  const messages = writeMessages("openai-chat", items);
  const [region] = collectShakeRegions(messages, AGGRESSIVE_SHAKE_CONFIG);
  const [one, many] = [applyShakeRegion, applyShakeRegions] as readonly ((...given: unknown[]) => unknown)[];

  it.each<[string, () => unknown, string]>([
    [
      "a region and its replacement",
      () => one?.(region, "cut"),
      "Call applyShakeRegion(messages, region, replacement): the messages are missing.",
    ],
    [
      "a list of regions",
      () => many?.([{ region, replacement: "cut" }]),
      "Call applyShakeRegions(messages, [{ region, replacement }]): the list of regions is missing.",
    ],
    ["no messages", () => many?.(undefined, []), "the messages are missing"],
    ["bare regions", () => many?.(messages, [region]), "item 0 of the list has no region"],
    ["no region", () => one?.(messages, undefined), "item 0 of the list has no region"],
  ])("%s", (_, work, message) => {
    expect(work).toThrow(TypeError);
    expect(work).toThrow(message);
    expect(work).toThrow("It returns new messages and changes nothing in place.");
  });
});

describe.each(KINDS)("in %s", (kind) => {
  const messages = writeMessages(kind, items);
  const result = entryOf(kind, items, 1);

  it("all regions at once become placeholders, each with a ref of its own", () => {
    const before = structuredClone(messages);
    const { regions, messages: shaken, edits, issues } = shake(messages);
    expect([regions.length, edits.length, issues.length]).toEqual([3, 3, 0]);
    const [one, two, three] = [
      ...textIn(shaken[0])
        .split("\n")
        .filter((line) => line.startsWith("[")),
      textIn(shaken[result]),
    ].map((line) => PLACEHOLDER.exec(line.trim()) ?? []);
    expect([one?.[1], two?.[1], three?.[1]]).toEqual(regions.map(({ tokens }) => String(tokens)));
    expect(new Set([one?.[2], two?.[2], three?.[2]]).size).toBe(3);
    expect(edits.map(({ edit }) => edit.type !== "undo" && edit.ref).sort()).toEqual(
      [one?.[2], two?.[2], three?.[2]].sort(),
    );
    expect(textIn(shaken[0]).replaceAll(/\[.*?\]/g, "#")).toBe("One:\n#\ntwo:\r\n#\r\nthat's it.");
    expect(messages).toEqual(before);
  });

  it("other messages are the very same objects, calls among them", () => {
    const { messages: shaken } = shake(messages);
    expect(shaken).toHaveLength(messages.length);
    const same = messages.flatMap((message, i) => (shaken[i] === message ? [i] : []));
    expect(same).toEqual([...messages.keys()].filter((i) => i !== 0 && i !== result));
  });

  it("shaking again changes nothing", () => {
    expect(collectShakeRegions(shake(messages).messages, AGGRESSIVE_SHAKE_CONFIG)).toEqual([]);
  });

  it("one by one, the highest offset first, gives the same texts as all at once", () => {
    const regions = collectShakeRegions(messages, AGGRESSIVE_SHAKE_CONFIG);
    const replacement = "gone";
    const once = applyShakeRegions(
      messages,
      regions.map((region) => ({ region, replacement })),
    );
    const inTurn = regions.reduceRight<readonly unknown[]>(
      (list, region) => applyShakeRegion(list, region, replacement).messages,
      messages,
    );
    expect(inTurn).toEqual(once.messages);
    expect(once.edits).toHaveLength(3);
  });
});

describe("replacements", () => {
  const messages = writeMessages("openai-chat", items);
  const [block, , result] = collectShakeRegions(messages, AGGRESSIVE_SHAKE_CONFIG) as readonly [
    ShakeRegion,
    ShakeRegion,
    ShakeRegion,
  ];

  it("may be a text or a function of the ref", () => {
    const { messages: shaken, edits } = applyShakeRegions(messages, [
      { region: block, replacement: "(code)" },
      { region: result, replacement: (ref) => `(see ${ref})` },
    ]);
    const cut = edits.find(({ edit }) => edit.type === "replace" && edit.text.startsWith("(see"))?.edit;
    expect(textIn(shaken[0])).toBe(items[0]?.[1].toString().replace(fence(1), "(code)"));
    expect(textIn(shaken[2])).toBe(`(see ${cut?.type === "replace" && cut.ref})`);
  });

  it.each<[string, ShakeRegion, string | undefined, RegExp]>([
    ["a replacement that is not smaller", result, textOf(600), /smaller/],
    ["a block's too", block, textOf(600), /smaller/],
    ["a text that is not there", { ...result, originalText: "x" }, undefined, /the text is not there/],
    ["a block that is not there", { ...block, start: block.start + 1 }, undefined, /the text is not there/],
    ["a message that is not there", { ...result, entry: 99 }, undefined, /message 99/],
    ["a block index that is not there", { ...result, blockIndex: 7 }, undefined, /the text is not there/],
    ["a region without text", { ...block, end: block.start, originalText: "" }, undefined, /not a span/],
  ])("%s stays and is reported", (_, region, replacement, why) => {
    const { messages: shaken, edits, issues } = applyShakeRegion(messages, region, replacement);
    expect(shaken.every((message, i) => message === messages[i])).toBe(true);
    expect(edits).toEqual([]);
    expect(issues.map(({ message }) => message)).toEqual([expect.stringMatching(why)]);
  });

  it("of overlapping blocks the first stands", () => {
    const whole = { ...block, end: block.end + 5, originalText: `${block.originalText}\ntwo:` };
    const { edits, issues } = applyShakeRegions(messages, [
      { region: whole },
      { region: block },
      { region: block },
    ]);
    expect(edits).toHaveLength(1);
    expect(issues).toHaveLength(2);
  });
});

describe("a result in several blocks", () => {
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };
  const texts = [textOf(100, 1), textOf(300, 2), "x"].map((text) => ({ type: "text", text }));
  const messages = [
    { role: "assistant", content: [{ type: "tool_use", id: "c", name: "shot", input: {} }] },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "c", content: [texts[0], image, texts[1], texts[2]] }],
    },
    { role: "user", content: "go" },
  ];

  it("keeps its image and shows one placeholder", () => {
    const { messages: shaken, issues } = shake(messages);
    const tokens = texts.reduce((sum, { text }) => sum + estimateTokens(text), 0);
    expect(issues).toEqual([]);
    expect(JSON.stringify(shaken[1])).toContain(`[shaken ~${tokens} tokens`);
    expect(JSON.stringify(shaken[1])).toContain(JSON.stringify(image));
    expect(JSON.stringify(shaken[1])).not.toContain("compute");
  });

  it("is left whole when its main text can't be cut", () => {
    const [region] = collectShakeRegions(messages, AGGRESSIVE_SHAKE_CONFIG) as readonly [ShakeRegion];
    const { messages: shaken, issues } = applyShakeRegion(messages, region, textOf(350));
    expect(shaken[1]).toBe(messages[1]);
    expect(issues).toHaveLength(1);
  });
});

describe("the host's instructions", () => {
  const reminder = "<system-reminder>\nNever push.\n</system-reminder>";

  it("outlive a result, and the block that they stand behind", () => {
    const messages = writeMessages("openai-chat", [
      ["call", "read", { filePath: "a.ts" }, `${numbered(textOf(500))}\n\n${reminder}`],
      ["user", `<doc>\n${textOf(500)}\n</doc>\n${reminder}`],
      ["user", "Go on."],
    ]);
    const { messages: shaken } = shake(messages);
    for (const entry of [1, 2])
      expect(textIn(shaken[entry])).toMatch(
        /^\[shaken ~\d+ tokens · recall [0-9a-f]{6}\]\n<system-reminder>\nNever push\.\n<\/system-reminder>$/,
      );
  });

  it("do not count inside a block, or in text of the model", () => {
    const messages = writeMessages("openai-chat", [
      ["user", `<doc>\n${textOf(500)}\n${reminder}\n</doc>`],
      ["user", `\`\`\`\n${textOf(500)}\n${reminder}\n\`\`\``],
      ["assistant", `<system-reminder>\n${textOf(500)}\n</system-reminder>`],
      ["user", "Go on."],
    ]);
    const { messages: shaken } = shake(messages);
    for (const entry of [0, 1, 2])
      expect(textIn(shaken[entry])).toMatch(/^\[shaken ~\d+ tokens · recall [0-9a-f]{6}\]$/);
  });
});
